// expect: unsafe
// options: --property no-deadlock
// Two threads that each wait for the other's event: a signal between the look and the wait is lost.
class OldClassic {
    static class Event {
        int count;
        synchronized void waitForEvent() throws InterruptedException { wait(); }
        synchronized void signalEvent() { count = (count + 1) % 3; notifyAll(); }
    }
    static class First extends Thread {
        final Event one, two; int count;
        First(Event one, Event two) { this.one = one; this.two = two; }
        public void run() {
            try {
                count = one.count;
                while (true) {
                    if (count == one.count) one.waitForEvent();
                    count = one.count;
                    two.signalEvent();
                }
            } catch (InterruptedException e) { }
        }
    }
    static class Second extends Thread {
        final Event one, two; int count;
        Second(Event one, Event two) { this.one = one; this.two = two; }
        public void run() {
            try {
                count = two.count;
                while (true) {
                    one.signalEvent();
                    if (count == two.count) two.waitForEvent();
                    count = two.count;
                }
            } catch (InterruptedException e) { }
        }
    }
    public static void main(String[] args) {
        Event one = new Event(), two = new Event();
        new First(one, two).start();
        new Second(one, two).start();
    }
}
