// expect: safe
// unknown: explicit, symbolic, bounded
import org.sosy_lab.sv_benchmarks.Verifier;

/** Fields of an object, written by methods, under any inputs. */
class Account {
    private int balance;
    private int refused;

    Account(int balance) {
        this.balance = balance;
    }

    void withdraw(int amount) {
        if (amount < 0 || amount > balance) {
            refused++;
            return;
        }
        balance -= amount;
    }

    public static void main(String[] args) {
        int first = Verifier.nondetInt();
        if (first < 0) {
            return;
        }
        Account account = new Account(first);
        while (Verifier.nondetBoolean()) {
            account.withdraw(Verifier.nondetInt());
            assert account.balance >= 0 && account.balance <= first;
        }
    }
}
