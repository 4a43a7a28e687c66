// expect: unsafe
// options: --property no-deadlock
// Two pairs of locks are taken in both orders: two deadlocks, each at places of its own.
class SeveralDeadlocks extends Thread {
    static final Object A = new Object();
    static final Object B = new Object();
    final boolean turned;

    SeveralDeadlocks(boolean turned) {
        this.turned = turned;
    }

    void there() {
        synchronized (A) {
            synchronized (B) {
            }
        }
    }

    void back() {
        synchronized (B) {
            synchronized (A) {
            }
        }
    }

    public void run() {
        if (turned) {
            there();
            synchronized (A) {
                synchronized (B) {
                }
            }
        } else {
            back();
        }
    }

    public static void main(String[] args) {
        new SeveralDeadlocks(true).start();
        new SeveralDeadlocks(false).start();
    }
}
