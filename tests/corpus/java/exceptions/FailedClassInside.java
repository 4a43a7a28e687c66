// expect: safe
// unknown: symbolic
/** The methods of a class whose initialisation has failed cannot use it; those of classes below it can use their own. */
public class FailedClassInside {
  static Bad leaked; static int caught;
  static class Bad { static int v = 7; int own() { return v; } static int get() { return v; }
     static { leaked = new Bad(); assert leaked.own() == 7; if (leaked != null) throw new IllegalStateException("x"); } }
  static Sub sub;
  static class Base { static int b = 1; Base() { b++; } int peek() { return b; }
     static { sub = new Sub(); assert sub.peek() == 2; if (b == 2) throw new RuntimeException(); } }
  static class Sub extends Base { static int s = 5; static int fromAbove() { return b; } static int own() { return s; } }
  static Runnable task;
  static class Lam { static int q = 1; static { task = () -> q++; task.run(); if (q == 2) throw new RuntimeException(); } }
  static boolean fails(Runnable r) { try { r.run(); return false; } catch (NoClassDefFoundError e) { caught++; assert e.getMessage().startsWith("Could not initialize class FailedClassInside$"); return true; } }
  public static void main(String[] a) {
    try { Bad.get(); assert false; } catch (ExceptionInInitializerError e) { assert e.getCause() instanceof IllegalStateException; }
    assert fails(() -> leaked.own());
    assert fails(() -> Bad.get());
    assert fails(() -> new Bad());
    try { new Base(); assert false; } catch (ExceptionInInitializerError e) { }
    assert !fails(() -> Sub.own());
    assert fails(() -> Sub.fromAbove());
    assert fails(() -> new Sub());
    assert fails(() -> sub.peek());
    try { Lam.q = 3; assert false; } catch (ExceptionInInitializerError e) { }
    assert fails(task);
    assert caught == 7;
  }
}
