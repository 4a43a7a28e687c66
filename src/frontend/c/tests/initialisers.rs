//! Initialisers.

use super::check;
use expect_test::expect;

#[test]
fn lists_and_elided_braces() {
    check(
        "int a[] = {1, 2, 3}; int m[2][2] = {1, 2, 3}; int n[2][2] = {{1}, {2, 3}}; struct p { int x, y; } \
         ps[] = {1, 2, {3}, 4, 5}; int z[3] = {}; int one = {7};",
        expect![[r#"
            a: int [3] = {@0 1i32, @4 2i32, @8 3i32, 0…}
            m: int [2][2] = {@0 1i32, @4 2i32, @8 3i32, 0…}
            n: int [2][2] = {@0 1i32, @8 2i32, @12 3i32, 0…}
            ps: struct p [3] = {@0 1i32, @4 2i32, @8 3i32, @16 4i32, @20 5i32, 0…}
            z: int [3] = {0…}
            one: int = {@0 7i32, 0…}
        "#]],
    );
}

#[test]
fn strings() {
    check(
        "char s[] = \"ab\"; char t[5] = \"ab\"; char u[2] = \"ab\"; char v[] = {\"x\"}; char *w = \"ab\"; \
         struct { char n[3]; int i; } x[] = {\"ab\", 1, {\"c\"}};",
        expect![[r#"
            s: char [3] = {@0 "ab\0", 0…}
            t: char [5] = {@0 "ab\0", 0…}
            u: char [2] = {@0 "ab\0", 0…}
            v: char [2] = {@0 "x\0", 0…}
            w: char * = {@0 decay("ab\0"), 0…}
            x: struct {…} [2] = {@0 "ab\0", @4 1i32, @8 "c\0", 0…}
        "#]],
    );
}

#[test]
fn designators() {
    check(
        "struct p { int x; struct { int a, b[3]; } in; union { int u; char c; }; int last; };\n\
         struct p p = {.in.b[1] = 5, 6, .u = 1, 2, .x = 9};\nint a[10] = {[3] = 1, 2, [0] = 7, [5 ... 7] = 8};\n\
         struct p q = {.in = {1, {2}}, .in.a = 3, .c = 4};\nint r[] = {[2] = 1};\nstruct p o = {x: 1, last: 2};",
        expect![[r#"
            p: struct p = {@12 5i32, @16 6i32, @20 1i32, @24 2i32, @0 9i32, 0…}
            a: int [10] = {@12 1i32, @16 2i32, @0 7i32, @20 8i32, @24 8i32, @28 8i32, 0…}
            q: struct p = {@8 2i32, @4 3i32, @20 4i8, 0…}
            r: int [3] = {@8 1i32, 0…}
            o: struct p = {@0 1i32, @24 2i32, 0…}
        "#]],
    );
}

#[test]
fn bit_fields_and_unions() {
    check(
        "struct b { int a : 3; unsigned : 5; unsigned c : 7; } b = {1, 2}; union u { int i; float f; } u = {1}, \
         w = {.f = 2}; union u us[2] = {{1}, {.f = 1}};",
        expect![[r#"
            b: struct b = {@0:0+3 1i32, @1:0+7 2u32, 0…}
            u: union u = {@0 1i32, 0…}
            w: union u = {@0 IntegerToFloat<float>(2i32), 0…}
            us: union u [2] = {@0 1i32, @4 IntegerToFloat<float>(1i32), 0…}
        "#]],
    );
}

#[test]
fn locals_structures_and_addresses() {
    check(
        "struct s { int a[2]; struct { int x; } in; } g; int i; int *p = &i, *q = &g.a[1], *r = g.a + 1;\n\
         int (*fp)(void); int f(void) { struct s t = g; struct s v = {{1}, t.in}; int x = i; int arr[2] = {x, i}; \
         static int *sp = &i; fp = f; return 0; } int (*table[])(void) = {f, &f, 0}; const int k = 3; int kk = k + 1;",
        expect![[r#"
            g: struct s
            i: int
            p: int * = {@0 &i, 0…}
            q: int * = {@0 (decay(g@0:int [2]) +4* 1i32), 0…}
            r: int * = {@0 (decay(g@0:int [2]) +4* 1i32), 0…}
            fp: int (*)(void)
            f.sp: int * = {@0 &i, 0…}
            table: int (*[3])(void) = {@0 &f, @4 &f, @8 Null<int (*)(void)>(0i32), 0…}
            k: const int = {@0 3i32, 0…}
            kk: int = {@0 ([k] +i32 1i32), 0…}
            f(): int (void)
              {
                t: struct s = {@0 [g]}
                v: struct s = {@0 1i32, @8 [t@8:struct {…}], 0…}
                x: int = {@0 [i]}
                arr: int [2] = {@0 [x], @4 [i], 0…}
                fp := &f
                return 0i32
              }
        "#]],
    );
}

#[test]
fn what_cannot_be_initialised() {
    check(
        "int x; int y = x;\nint *p = &x + x;\nint f(void); int z = f();\nint a[2] = {1, 2, 3};",
        expect![[r#"
        1:16: the first value of an object of static storage has to be constant | known only when the program runs | -
        2:15: the first value of an object of static storage has to be constant | known only when the program runs | -
        3:22: the first value of an object of static storage has to be constant | known only when the program runs | -
    "#]],
    );
    check(
        "int a[2] = 1;\nstruct s { int x; } s = {.y = 1};\nint b[2] = {[5] = 1};\nchar *c[] = \"ab\";",
        expect![[r#"
        1:12: an array of type `int [2]` needs a list in braces or a string | has type `int` | -
        2:27: `struct s` has no member `y` | no such member | -
        3:14: the array has no element 5 | out of bounds | -
        4:13: an array of type `char *[]` needs a list in braces or a string | has type `char [3]` | -
    "#]],
    );
}
