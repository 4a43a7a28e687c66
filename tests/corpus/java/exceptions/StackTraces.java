// expect: safe
// unknown: cegar, symbolic, bounded
/** Exceptions fill in their stack traces where they are made, and are asked for what is printed with their causes. */
public class StackTraces {
  static String log = "";
  static class E extends Exception { String n; E(String n){ super(n); this.n = n; } E(String n, Throwable c){ super(n, c); this.n = n; }
    public String toString() { log += "t" + n; return n; }
    public Throwable getCause() { log += "c" + n; return super.getCause(); }
    public synchronized Throwable fillInStackTrace() { log += "f" + getMessage(); return this; } }
  static class Quiet extends Exception { Quiet() { super("q", null, false, false); } public Throwable fillInStackTrace() { log += "F"; return this; } }
  static class Once extends RuntimeException { static int made; int mine; Once() { mine += 100; } public Throwable fillInStackTrace() { made++; mine++; return super.fillInStackTrace(); } }
  static class M extends RuntimeException { M(Throwable c) { super(c); } public String getMessage() { log += "m"; return "msg"; } }
  public static void main(String[] a) {
    E leaf = new E("l"); assert log.equals("fnull") : log; log = "";
    E mid = new E("m", leaf); mid.addSuppressed(new E("s1", new E("s2"))); mid.addSuppressed(leaf);
    log = "";
    mid.printStackTrace();
    assert log.equals("tmts1cs1ts2cs2tlclcmtl") : log;
    log = ""; new Quiet(); assert log.equals("");
    Once o = new Once(); assert Once.made == 1 && o.mine == 101; o.fillInStackTrace(); assert Once.made == 2 && o.mine == 102;
    log = ""; M m = new M(new E("x")); assert log.equals("fnulltx") : log; 
    log = ""; m.printStackTrace(System.err); assert log.equals("mtxcx") : log;
    log = ""; Throwable t1 = new E("1"); Throwable t2 = new E("2"); t1.initCause(t2); t2.initCause(t1); log = ""; t1.printStackTrace(); assert log.equals("t1c1t2c2t1") : log;
    log = ""; try { throw new E("z"); } catch (E e) { log += "!"; } assert log.equals("fnull!");
  }
}
