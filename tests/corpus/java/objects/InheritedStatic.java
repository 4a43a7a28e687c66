// expect: safe
// unknown: symbolic
/** A class that is never used sets nothing that it inherits; interfaces above interfaces are initialised too. */
public class InheritedStatic {
  static class Cfg { static String mode = "default"; static int n = 1; }
  static class Test extends Cfg { static { mode = "test"; n = 2; } static int own = 3; }
  interface I { int X = InheritedStatic.bump(10); default void m(){} }
  interface J extends I { }
  static class K implements J { static int y = 4; }
  static int count;
  static int bump(int n){ count += n; return n; }
  static class P { static int seen = D.x; }
  static class C extends P { }
  static class D extends C { static int x = 5; }
  public static void main(String[] a) {
    assert Cfg.mode == "default" && Cfg.n == 1;
    int z = Cfg.n;
    assert Test.own == 3 && Cfg.n == 2 && Cfg.mode == "test";
    assert count == 0;
    assert K.y == 4;
    assert count == 10;
    assert D.x == 5;
    assert P.seen == 0;
  }
}
