// Two transfers between two accounts at once: the accounts are always locked in the same order.
public class Bank {
    static class Account {
        final int number;
        int balance;

        Account(int number, int balance) {
            this.number = number;
            this.balance = balance;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                if (from.balance >= amount) {
                    from.balance -= amount;
                    to.balance += amount;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account a = new Account(1, 100);
        Account b = new Account(2, 50);
        Thread there = new Thread(() -> transfer(a, b, 70));
        Thread back = new Thread(() -> transfer(b, a, 20));
        there.start();
        back.start();
        there.join();
        back.join();
        assert a.balance + b.balance == 150;
        assert a.balance >= 0 && b.balance >= 0;
    }
}
