//! Types and conversions of expressions.

use super::super::DataModel;
use super::{check, render_as};
use expect_test::{Expect, expect};

/// Checks one statement in a function with variables of every sort.
fn check_stmts(statements: &str, expect: Expect) {
    let text = format!(
        "struct s {{ char c; int i : 5; unsigned u : 3; unsigned long long w : 40; struct s *next; int a[3]; }};\n\
         int i; unsigned u; char c; signed char sc; unsigned short us; long l; unsigned long ul; long long ll;\n\
         _Bool b; float f; double d; long double ld; int *p; const char *s; void *v; int a[4]; int m[2][3];\n\
         struct s t, *q; enum e {{ A, B = 5, C }} en; int g(int, float, ...); struct s h(void); int k();\n\
         void fn(void) {{ {statements} }}"
    );
    let out = render_as(&text, DataModel::Ilp32);
    let body = out.split_once("fn(): void (void)\n").map_or(out.clone(), |(_, body)| body.to_owned());
    let lines = body.lines().map(|line| line.strip_prefix("  ").unwrap_or(line).to_owned() + "\n");
    expect.assert_eq(&lines.collect::<String>());
}

#[test]
fn arithmetic_is_done_in_the_common_type() {
    check_stmts(
        "c + us; u + i; l + u; ll + u; ul * i; c + f; f / d; d + ld; b + b; en | 1; ~c; -us; +sc;",
        expect![[r#"
              {
                (Integer<i32>([c]) +i32 Integer<i32>([us]))
                ([u] +u32 Integer<u32>([i]))
                (Integer<u32>([l]) +u32 Integer<u32>([u]))
                ([ll] +i64 Integer<i64>([u]))
                ([ul] *u32 Integer<u32>([i]))
                (IntegerToFloat<float>(Integer<i32>([c])) +float [f])
                (Float<double>([f]) /double [d])
                (Float<long double>([d]) +long double [ld])
                (Integer<i32>([b]) +i32 Integer<i32>([b]))
                (Integer<u32>([en]) |u32 1u32)
                Complement(Integer<i32>([c])):i32
                Minus(Integer<i32>([us])):i32
                Integer<i32>([sc])
              }
        "#]],
    );
}

#[test]
fn shifts_keep_the_type_of_the_left_operand() {
    check_stmts(
        "c << l; u >> ll; ll << 1; us << 3;",
        expect![[r#"
              {
                (Integer<i32>([c]) <<i32 [l])
                ([u] >>u32 [ll])
                ([ll] <<i64 1i32)
                (Integer<i32>([us]) <<i32 3i32)
              }
        "#]],
    );
}

#[test]
fn comparisons_and_logic() {
    check_stmts(
        "u < i; p == 0; p != v; s == (void *)0; !p; i && p; d || !f; p < a; i ? 1 : c; c ? p : 0;",
        expect![[r#"
              {
                ([u] <i32 Integer<u32>([i]))
                ([p] ==i32 Null<int *>(0i32))
                (Pointer<void *>([p]) !=i32 [v])
                ([s] ==i32 Null<const char *>(0i32))
                Not(Truth<bool>([p])):i32
                (Truth<bool>([i]) && Truth<bool>([p]))
                (Truth<bool>([d]) || Truth<bool>(Not(Truth<bool>([f])):i32))
                ([p] <i32 decay(a))
                (Truth<bool>([i]) ? 1i32 : Integer<i32>([c])):i32
                (Truth<bool>([c]) ? [p] : Null<int *>(0i32)):int *
              }
        "#]],
    );
    check_stmts(
        "p ? v : p; i ?: c; p ?: 0; i ? (void)0 : (void)1; (i, c);",
        expect![[r#"
              {
                (Truth<bool>([p]) ? [v] : Pointer<void *>([p])):void *
                (save [i] in Truth<bool>(saved) ? saved : Integer<i32>([c])):i32
                (save [p] in Truth<bool>(saved) ? saved : Null<int *>(0i32)):int *
                (Truth<bool>([i]) ? Void<void>(0i32) : Void<void>(1i32)):void
                ([i], [c])
              }
        "#]],
    );
}

#[test]
fn assignments_convert() {
    check_stmts(
        "c = i; i = d; f = i; b = p; p = 0; p = v; v = s; i = (int)p; t = *q; en = 3;",
        expect![[r#"
              {
                c := Integer<i8>([i])
                i := FloatToInteger<i32>([d])
                f := IntegerToFloat<float>([i])
                b := Truth<bool>([p])
                p := Null<int *>(0i32)
                p := Pointer<int *>([v])
                v := Pointer<void *>([s])
                i := PointerToInteger<i32>([p])
                t := [*[q]]
                en := 3enum e
              }
        "#]],
    );
    check_stmts(
        "c += 1; i <<= ll; u *= f; p += 2; p -= i; c++; --p; d--; b |= i; t.i += 1; t.i++;",
        expect![[r#"
              {
                c +:= 1i32 in int
                i <<:= [ll] in int
                u *:= [f] in float
                p +:= 4* 2i32
                p -:= 4* [i]
                c++<int>
                --<4>p
                d--<double>
                b |:= [i] in int
                t@1:0+5:i32 +:= 1i32 in int
                t@1:0+5:i32++<int>
              }
        "#]],
    );
}

#[test]
fn pointers_and_arrays() {
    check_stmts(
        "a[i]; i[a]; *(p + 1); m[1][2]; *m; &a; &a[1]; &m[1]; p - a; p - 1; &*p; *s; v + 1; s - s;",
        expect![[r#"
              {
                [*(decay(a) +4* [i])]
                [*(decay(a) +4* [i])]
                [*([p] +4* 1i32)]
                [*(decay(*(decay(m) +12* 1i32)) +4* 2i32)]
                decay(*decay(m))
                &a
                (decay(a) +4* 1i32)
                (decay(m) +12* 1i32)
                ([p] -/4 decay(a)):i32
                ([p] -4* 1i32)
                [p]
                [*[s]]
                ([v] +1* 1i32)
                ([s] -/1 [s]):i32
              }
        "#]],
    );
}

#[test]
fn members() {
    check_stmts(
        "t.c; q->i; t.u + 1; q->next->a[2]; h().a[1]; h().c; (*q).u = 3; &t.a; &q->next;",
        expect![[r#"
              {
                [t@0:i8]
                [*[q]@1:0+5:i32]
                (Integer<i32>([t@1:5+3:u32]) +i32 1i32)
                [*(decay(*[*[q]@8:struct s *]@12:int [3]) +4* 2i32)]
                [*(decay(temporary(call &h():struct s)@12:int [3]) +4* 1i32)]
                [temporary(call &h():struct s)@0:i8]
                *[q]@1:5+3:u32 := 3u32
                &t@12:int [3]
                &*[q]@8:struct s *
              }
        "#]],
    );
}

#[test]
fn wide_bit_fields_are_cast_before_arithmetic() {
    check_stmts(
        "(long long)t.w + 1; t.w = 1;",
        expect![[r#"
          {
            (Integer<i64>([t@2:0+40:u64]) +i64 1i64)
            t@2:0+40:u64 := 1u64
          }
    "#]],
    );
    check_stmts(
        "t.w + 1;",
        expect![[r#"
            5:17: arithmetic on a bit-field wider than `int` is not supported | computed by the compiler in a type of just as many bits | cast it to an integer type first
        "#]],
    );
}

#[test]
fn calls_convert_and_promote() {
    check_stmts(
        "g(c, d, f, sc, a); k(f, c); (*g)(1, 2); h(); fn(); (&fn)(); undeclared(1); malloc(3);",
        expect![[r#"
            {
              call &g(Integer<i32>([c]), Float<float>([d]), Float<double>([f]), Integer<i32>([sc]), decay(a)):i32
              call &k(Float<double>([f]), Integer<i32>([c])):i32
              call &g(1i32, IntegerToFloat<float>(2i32)):i32
              call &h():struct s
              call &fn():void
              call &fn():void
              call &undeclared(1i32):i32
              call &malloc(3u32):void *
            }
            assume: the function `undeclared` is not declared; it is taken to return an int
            assume: the function `malloc` is not declared; it is taken to be that of the C library
        "#]],
    );
}

#[test]
fn constants_fold_unless_undefined() {
    check_stmts(
        "i = 2 + 3 * 4; i = sizeof(int[3]) + sizeof t; i = 1 << 31; i = 2147483647 + 1; u = -1u; i = -2147483648; \
         i = 5 / 0; i = -7 / 2; i = -7 % 3; u = 1u << 31; i = 1 ? 2 : k(); i = 0 && k(); i = 'a' + '\\n'; i = B + C; \
         l = 4294967295; ll = 0xffffffff; ll = 077; c = (char)200; i = (unsigned char)-1; i = 3.9; i = !5; i = ~0u;",
        expect![[r#"
              {
                i := 14i32
                i := 36i32
                i := (1i32 <<i32 31i32)
                i := (2147483647i32 +i32 1i32)
                u := 4294967295u32
                i := -2147483648i32
                i := (5i32 /i32 0i32)
                i := -3i32
                i := -1i32
                u := 2147483648u32
                i := 2i32
                i := 0i32
                i := 107i32
                i := 11i32
                l := -1i32
                ll := 4294967295i64
                ll := 63i64
                c := -56i8
                i := 255i32
                i := 3i32
                i := 0i32
                i := -1i32
              }
        "#]],
    );
}

#[test]
fn sizes_and_offsets() {
    check_stmts(
        "u = sizeof c; u = sizeof(long double); u = sizeof a; u = sizeof *m; u = _Alignof(long long); \
         u = __alignof__(long long); u = __builtin_offsetof(struct s, a[2]); u = (unsigned)&((struct s *)0)->next; \
         u = sizeof \"abc\"; u = sizeof(char); u = sizeof 'a'; u = sizeof(struct s);",
        expect![[r#"
              {
                u := 1u32
                u := 12u32
                u := 16u32
                u := 12u32
                u := 4u32
                u := 8u32
                u := 20u32
                u := 8u32
                u := 4u32
                u := 1u32
                u := 4u32
                u := 24u32
              }
        "#]],
    );
}

#[test]
fn literals() {
    check_stmts(
        "f = 1.5f; d = 1e3; d = 0x1.8p1; ld = 1.0L; s = \"a\\x41\\102\" \"b\"; i = L'x'; i = '\\377'; i = 'ab'; \
         ll = 1LL; u = 1UL; i = 0b101; s = __func__;",
        expect![[r#"
              {
                f := 1.5:float
                d := 1000:double
                d := 3:double
                ld := 1:long double
                s := Pointer<const char *>(decay("aABb\0"))
                i := 120i32
                i := -1i32
                i := 24930i32
                ll := 1i64
                u := 1u32
                i := 5i32
                s := decay("fn\0")
              }
        "#]],
    );
}

#[test]
fn gnu_forms() {
    check_stmts(
        "i = ({ int x = 1; x + 1; }); p = (int[]){1, 2}; t = (struct s){.c = 1}; __typeof__(c) z = 1; \
         i = __builtin_expect(c, 0); i = __builtin_types_compatible_p(int, typeof(i)); i = __builtin_constant_p(3); \
         __auto_type y = 1.0f; i = _Generic(f, int: 1, float: 2, default: 3); i = __builtin_choose_expr(1, 4, s); \
         u = __builtin_bswap32(u); i = __builtin_isnan(f); __sync_fetch_and_add(&i, 1); __asm__ volatile (\"\" ::: \"memory\");",
        expect![[r#"
              {
                i := ({ x: int = {@0 1i32} } ([x] +i32 1i32))
                p := decay((literal {@0 1i32, @4 2i32, 0…}))
                t := [(literal.2 {@0 1i8, 0…})]
                z: char = {@0 1i8}
                i := Integer<i32>(Integer<i32>([c]))
                i := 1i32
                i := 1i32
                y: float = {@0 1:float}
                i := 2i32
                i := 4i32
                u := ByteSwap([u]):u32
                i := IsNan([f]):i32
                FetchAnd(Add)(&i, 1i32):i32
                {
                }
              }
        "#]],
    );
}

#[test]
fn lp64_differs() {
    let text = "unsigned long ul; long l; unsigned u; int i; int *p; wchar; void f(void) { l + u; ul + i; p - p; \
                l = sizeof l; l = 4294967295; i = (int)(long)p; p + u; }";
    expect![[r#"
        ul: unsigned long
        l: long
        u: unsigned int
        i: int
        p: int *
        wchar: int
        f(): void (void)
          {
            ([l] +i64 Integer<i64>([u]))
            ([ul] +u64 Integer<u64>([i]))
            ([p] -/4 [p]):i64
            l := 8i64
            l := 4294967295i64
            i := Integer<i32>(PointerToInteger<i64>([p]))
            ([p] +4* [u])
          }
        assume: a declaration without a type is taken to mean int
    "#]]
    .assert_eq(&render_as(text, DataModel::Lp64));
}

#[test]
fn variable_length_arrays() {
    check(
        "int f(int n, int m, int a[n][m]) {\n  int x[n + 1];\n  typedef int row[m];\n  row *r = a;\n  x[1] = 2;\n  \
         return sizeof x + a[1][2] + sizeof(row) + sizeof(int[n]) + (r - a);\n}",
        expect![[r#"
            f(n, m, a): int (int, int, int (*)[*])
              {
                w0 := Integer<u32>([m])
                w1 := Integer<u32>(([n] +i32 1i32))
                x: int [*]
                w2 := Integer<u32>([m])
                r: int (*)[*] = {@0 Pointer<int (*)[*]>([a])}
                *(decay(x) +4* 1i32) := 2i32
                return Integer<i32>((((((w1 *u32 4u32) +u32 Integer<u32>([*(decay(*([a] +(w0 *u32 4u32)* 1i32)) +4* 2i32)])) +u32 (w2 *u32 4u32)) +u32 ({ w3 := Integer<u32>([n]) } (w3 *u32 4u32))) +u32 Integer<u32>(([r] -/(w2 *u32 4u32) Pointer<int (*)[*]>([a])):i32)))
              }
        "#]],
    );
}

#[test]
fn variable_arguments() {
    check(
        "typedef __builtin_va_list va_list;\nint sum(int n, ...) {\n  va_list l, k;\n  __builtin_va_start(l, n);\n  \
         __builtin_va_copy(k, l);\n  int r = __builtin_va_arg(l, int) + __builtin_va_arg(k, double);\n  \
         __builtin_va_end(l);\n  return r;\n}",
        expect![[r#"
            sum(n): int (int, ...)
              {
                l: __builtin_va_list
                k: __builtin_va_list
                VaStart(l):void
                VaCopy(k, l):void
                r: int = {@0 FloatToInteger<i32>((IntegerToFloat<double>(va_arg(l):i32) +double va_arg(k):double))}
                VaEnd(l):void
                return [r]
              }
        "#]],
    );
}
