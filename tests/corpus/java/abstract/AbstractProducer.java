// expect: safe
// options: --property no-data-race
// Figure 1 of Abstract Pathfinder: of the counter of a million rounds, only the sign is kept.
// tandem: abstract AbstractProducer.run.remaining signs
class AbstractProducer extends Thread {
    static final int DAILY_LIMIT = 1000000;
    final Data d;

    AbstractProducer(Data d) {
        this.d = d;
    }

    static class Data {
        int value;
        boolean isNew;
    }

    static class Consumer extends Thread {
        final Data d;

        Consumer(Data d) {
            this.d = d;
        }

        public void run() {
            while (true) {
                synchronized (d) {
                    if (d.isNew) {
                        d.isNew = false;
                        System.out.println(d.value);
                    }
                }
            }
        }
    }

    public void run() {
        int remaining = DAILY_LIMIT;
        while (remaining > 0) {
            synchronized (d) {
                d.value = 10;
                d.isNew = true;
            }
            remaining--;
        }
    }

    public static void main(String[] args) {
        Data d = new Data();
        new AbstractProducer(d).start();
        new Consumer(d).start();
    }
}
