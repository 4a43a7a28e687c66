// expect: safe
// options: --property no-deadlock
// Readers and writers: who wants to write waits for all readers.
class ReadersWriters {
    int readers;
    boolean writing;
    int value;
    synchronized void startRead() throws InterruptedException { while (writing) wait(); readers++; }
    synchronized void endRead() { readers--; if (readers == 0) notifyAll(); }
    synchronized void startWrite() throws InterruptedException { while (writing || readers > 0) wait(); writing = true; }
    synchronized void endWrite() { writing = false; notifyAll(); }
    static class Reader extends Thread {
        final ReadersWriters data;
        Reader(ReadersWriters data) { this.data = data; }
        public void run() {
            try { data.startRead(); int seen = data.value; assert seen % 2 == 0; data.endRead(); } catch (InterruptedException e) { }
        }
    }
    static class Writer extends Thread {
        final ReadersWriters data;
        Writer(ReadersWriters data) { this.data = data; }
        public void run() {
            try { data.startWrite(); data.value++; data.value++; data.endWrite(); } catch (InterruptedException e) { }
        }
    }
    public static void main(String[] args) {
        ReadersWriters data = new ReadersWriters();
        new Reader(data).start(); new Reader(data).start(); new Writer(data).start();
    }
}
