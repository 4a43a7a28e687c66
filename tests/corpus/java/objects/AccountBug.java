// expect: unsafe
// unknown: symbolic
import org.sosy_lab.sv_benchmarks.Verifier;

/** An amount may be negative, and then the sum is too large. */
class AccountBug {
    private int balance;

    void withdraw(int amount) {
        if (amount <= balance) {
            balance -= amount;
        }
    }

    public static void main(String[] args) {
        AccountBug account = new AccountBug();
        account.balance = 100;
        account.withdraw(Verifier.nondetInt());
        account.withdraw(Verifier.nondetInt());
        assert account.balance >= 0;
    }
}
