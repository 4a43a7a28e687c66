// expect: unsafe
// options: --property no-data-race
// The same without the lock of the producer.
// tandem: abstract AbstractProducerRaces.run.remaining signs
class AbstractProducerRaces extends Thread {
    static final int DAILY_LIMIT = 1000000;
    final Data d;

    AbstractProducerRaces(Data d) {
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
                {
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
            {
                d.value = 10;
                d.isNew = true;
            }
            remaining--;
        }
    }

    public static void main(String[] args) {
        Data d = new Data();
        new AbstractProducerRaces(d).start();
        new Consumer(d).start();
    }
}
