//! Statements, declarations and scopes.

use super::check;
use expect_test::expect;

#[test]
fn loops_and_jumps() {
    check(
        "int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) { if (i == 3) continue; s += i; }\n  \
         for (n = 1; ; ) break;\n  do s--; while (s > 10);\n  while (n) goto out;\nout:\n  return s;\n}",
        expect![[r#"
            f(n): int (int)
              {
                s: int = {@0 0i32}
                {
                  i: int = {@0 0i32}
                  for ; Truth<bool>(([i] <i32 [n])); i++<int>
                    {
                      if Truth<bool>(([i] ==i32 3i32))
                        continue
                      s +:= [i] in int
                    }
                }
                for ; ; 
                    n := 1i32
                  break
                do
                  s--<int>
                while Truth<bool>(([s] >i32 10i32))
                while Truth<bool>([n])
                  goto l0
                l0:
                return [s]
              }
        "#]],
    );
}

#[test]
fn switches_keep_their_order() {
    check(
        "int f(unsigned char c) {\n  switch (c) {\n  case 1: case 2: c = 3;\n  default: return 1;\n  case 'a' ... 'z': \
         break;\n  case -1: { case 300: ; }\n  }\n  return 0;\n}",
        expect![[r#"
            f(c): int (unsigned char)
              {
                switch Integer<i32>([c]) [1..1 l0, 2..2 l1, 97..122 l3, -1..-1 l4, 300..300 l5] Some(l2)
                  {
                    l0:
                    l1:
                    c := 3u8
                    l2:
                    return 1i32
                    l3:
                    break
                    l4:
                    {
                      l5:
                      empty
                    }
                  }
                return 0i32
              }
        "#]],
    );
}

#[test]
fn else_if_chains_are_flat() {
    check(
        "void f(int x) { if (x) ; else if (x == 1) f(1); else if (x == 2) { } else f(3); }",
        expect![[r#"
        f(x): void (int)
          {
            if Truth<bool>([x])
              empty
            if Truth<bool>(([x] ==i32 1i32))
              call &f(1i32):void
            if Truth<bool>(([x] ==i32 2i32))
              {
              }
            else
              call &f(3i32):void
          }
    "#]],
    );
}

#[test]
fn names_are_unique() {
    check(
        "static int x = 1; int f(int x) { { int x = x; { static int x = 3; x++; } { static int x; x++; } } \
         { extern int y; y = x; } return x; } int y;",
        expect![[r#"
            x: int = {@0 1i32, 0…}
            f.x: int = {@0 3i32, 0…}
            f.x.2: int
            y: int
            f(x): int (int)
              {
                {
                  x.2: int = {@0 [x.2]}
                  {
                    f.x++<int>
                  }
                  {
                    f.x.2++<int>
                  }
                }
                {
                  y := [x]
                }
                return [x]
              }
        "#]],
    );
}

#[test]
fn typedef_names_follow_scopes() {
    check(
        "typedef int T; T f(T a) { T T = a; T = T * T; { typedef char T; T c = (T)a; return c; } }\n\
         typedef struct node *list; struct node { list next; int T; }; int g(list l) { return l->next->T; }",
        expect![[r#"
            f(a): int (int)
              {
                T: int = {@0 [a]}
                T := ([T] *i32 [T])
                {
                  c: char = {@0 Integer<i8>([a])}
                  return Integer<i32>([c])
                }
              }
            g(l): int (struct node *)
              {
                return [*[*[l]@0:struct node *]@4:i32]
              }
        "#]],
    );
}

#[test]
fn old_style_functions() {
    check(
        "max(a, b) int b; { return a > b ? a : b; } main() { return max(1, 2); } static z;",
        expect![[r#"
        z: int
        max(a, b): int ()
          {
            return (Truth<bool>(([a] >i32 [b])) ? [a] : [b]):i32
          }
        main(): int ()
          {
            return call &max(1i32, 2i32):i32
          }
        assume: a declaration without a type is taken to mean int
        assume: the parameter `a` without a type is taken to be an int
        assume: a declaration without a type is taken to mean int
        assume: a declaration without a type is taken to mean int
    "#]],
    );
}

#[test]
fn declarations_are_merged() {
    check(
        "extern int a[]; int a[3]; int a[]; int f(); int f(int (*)(void)); int f(int (*g)(void)) { return g(); }\n\
         int t[]; struct u; extern struct u un; int *(*(*fp)(int))[4]; inline int in(void) { return 1; }",
        expect![[r#"
            a: int [3]
            t: int [1]
            extern un: struct u
            fp: int *(*(*)(int))[4]
            f(g): int (int (*)(void))
              {
                return call [g]():i32
              }
            in(): int (void)
              {
                return 1i32
              }
            assume: the array `t` is taken to have one element
        "#]],
    );
}

#[test]
fn enumerations_have_the_type_gcc_gives_them() {
    check(
        "enum a { A } x; enum b { B = -1 } y; enum c { C = 0x80000000, D = 1 } z; int i = sizeof(C) + sizeof(D);\n\
         void f(void) { x + 1; y + 1; C + 1; D + 1; x = B; }",
        expect![[r#"
            x: enum a
            y: enum b
            z: enum c
            i: int = {@0 8i32, 0…}
            f(): void (void)
              {
                (Integer<u32>([x]) +u32 1u32)
                (Integer<i32>([y]) +i32 1i32)
                2147483649u32
                2i32
                x := 4294967295enum a
              }
        "#]],
    );
}

#[test]
fn returning() {
    check(
        "void g(void); void f(void) { return g(); } int h(void) { return 1.5; } int e(void) { return; }",
        expect![[r#"
        f(): void (void)
          {
            call &g():void
            return 
          }
        h(): int (void)
          {
            return 1i32
          }
        e(): int (void)
          {
            return 
          }
    "#]],
    );
}
