//! What is said about texts that are no C, or C that is not supported.

use super::check;
use expect_test::expect;

#[test]
fn one_wrong_declaration_does_not_hide_the_next() {
    check(
        "int x = ;\nint y\nint z;\nfoo_t w;\nint f( { }\nvoid g(void) { int; }\nint h(void) { return }\nlong float lf;\nint last(int int);\n",
        expect![[r#"
            1:9: expected an expression, but found `;` | not `;` | -
            3:1: expected `;` after the declaration, but found `int` | not `int` | -
            4:1: unknown type `foo_t` | no type of this name is declared | declare it with `typedef`, or include the header that does
            5:8: expected the type of a parameter, but found `{` | not `{` | -
            7:22: expected an expression, but found `}` | not `}` | -
            8:1: these words do not make one type together | does not fit | a `;` may be missing before it
            9:14: these words do not make one type together | does not fit | a `;` may be missing before it
        "#]],
    );
}

#[test]
fn wrong_statements() {
    check(
        "void f(int x) {\n  if x) ;\n  x = 1\n  while (x;\n  for (x; y z; x) { x = ; }\n  else x;\n  foo bar;\n}\nint last = ;",
        expect![[r#"
            2:6: expected `(` after `if`, but found `x` | not `x` | -
            4:3: expected `;` after the expression, but found `while` | not `while` | -
            4:11: expected `)` after the condition of `while`, but found `;` | not `;` | -
            5:13: expected `;` after the condition of `for`, but found `z` | not `z` | -
            5:25: expected an expression, but found `;` | not `;` | -
            6:3: an `else` without an `if` | no `if` is open here | braces or a `;` before it may be wrong
            7:3: unknown type `foo` | no type of this name is declared | declare it with `typedef`, or include the header that does
            9:12: expected an expression, but found `;` | not `;` | -
        "#]],
    );
}

#[test]
fn refused_by_name() {
    check(
        "void f(int x) {\n  void *p = &&l;\n  goto *p;\n  asm(\"nop\");\n  int g(void) { return 1; }\n  _Complex double z;\n\
         l: ;\n  __label__ k;\n}\nint v __attribute__((vector_size(16)));\nasm(\"nop\");",
        expect![[r#"
            2:13: the address of a label (`&&label`) is not supported | used here | -
            3:8: a computed `goto` is not supported | used here | -
            4:3: assembly is not supported | cannot be understood | only an empty `asm` without outputs can be left out
            5:7: a function inside a function is not supported | defined here | move it to file scope
            6:3: complex numbers are not supported | used here | -
            8:3: `__label__` is not supported | used here | -
            11:1: assembly is not supported | cannot be understood | only an empty `asm` without outputs can be left out
        "#]],
    );
    check(
        "int v __attribute__((vector_size(16)));\nvoid f(void) __attribute__((destructor));\n__int128 x;\n\
         void g(void) { __builtin_setjmp(0); }",
        expect![[r#"
            1:22: the attribute `vector_size` is not supported | used here | -
            2:29: the attribute `destructor` is not supported | used here | -
            3:1: `__int128` with 32-bit pointers is not supported | used here | -
            4:16: `__builtin_setjmp` is not supported | used here | -
        "#]],
    );
}

#[test]
fn wrong_types() {
    check(
        "struct s { int x; } t; int *p; double d; void g(void);\nvoid f(void) {\n  t + 1;\n  d % 2;\n  *d;\n  p * p;\n  t.y;\n  \
         p->x;\n  t = 1;\n  if (t) ;\n  1 = 2;\n  &1;\n  g(1);\n  d();\n  undeclared;\n  (struct s)1;\n  (int *)d;\n  switch (d) {}\n}",
        expect![[r#"
            3:3: `+` cannot be applied to `struct s` and `int` | `struct s` and `int` | -
            4:3: `%` cannot be applied to `double` and `int` | `double` and `int` | -
            5:4: a pointer is needed here, but this has type `double` | no pointer | -
            6:3: `*` cannot be applied to `int *` and `int *` | `int *` and `int *` | -
            7:3: `struct s` has no member `y` | no such member | -
            8:3: `int` is neither a structure nor a union | has no members | -
            9:7: a value of type `int` cannot be assigned where `struct s` is needed | has type `int` | -
            10:7: a condition is needed here, but this has type `struct s` | neither a number nor a pointer | -
            11:3: this is a value, not a place that can be assigned to | assigned to | -
            12:3: this is a value, which has no address | has no place in memory | -
            13:3: the function takes 0 arguments, but 1 are given | a wrong number of arguments | -
            14:3: `double` cannot be called | no function | -
            15:3: `undeclared` is not declared | not known here | -
            16:3: a value of type `int` cannot be cast to `struct s` | no such cast | -
            17:3: a value of type `double` cannot be cast to `int *` | no such cast | -
            18:11: a `switch` needs an integer, not `double` | no integer | -
        "#]],
    );
    check(
        "const int c = 1; void f(void) { c = 2; int a[2]; a = 0; break; continue; case 1: ; goto nowhere; }\n\
         int g(void) { switch (1) { case 1: case 1: ; default: default: ; } x: x: ; }",
        expect![[r#"
            1:33: this is `const` and cannot be assigned to | assigned to | -
            1:50: an array or function cannot be assigned to | assigned to | -
            1:57: a `break` outside of any loop or switch | no loop or switch around it | -
            1:64: a `continue` outside of any loop | no loop around it | -
            1:74: a `case` outside of any switch | no switch around it | -
            2:55: a second `default` | one is enough | -
            2:71: the label `x` stands twice in this function | the second one | -
        "#]],
    );
}

#[test]
fn wrong_declarations() {
    check(
        "int x; char x;\nint f(int); int f(char);\nstruct s { int a; int a; };\nstruct u { struct u inner; };\nint a[-1];\n\
         void v;\nint g(void) { return 0; }\nint g(void) { return 0; }\nenum e { A, A };\nint b[] = {1}, h(void)[2];\n\
         struct w { int f : 40; };\nstruct incomplete i;",
        expect![[r#"
            1:13: `x` is declared with two types, `int` and `char` | the second declaration | -
            2:17: `f` is declared with two types, `int (int)` and `int (char)` | the second declaration | -
            3:23: two members are called `a` | the second one | -
            4:21: the type `struct u` is incomplete here | its size is needed | define it before this place
            5:7: an array cannot have -1 elements | negative | -
            6:6: `v` cannot have type `void` | no type of an object | -
            8:5: the function `g` is defined twice | the second definition | -
            9:13: `A` is declared twice | the second declaration | -
            10:16: a function cannot return `int [2]` | cannot be returned | -
            11:20: the width of this bit-field cannot be 40 | has to be from 0 to 32 | -
            12:19: the type `struct incomplete` is incomplete here | its size is needed | define it before this place
        "#]],
    );
}

#[test]
fn texts_that_are_cut_off() {
    check(
        "int f(void) {",
        expect![[r#"
        1:13: this block does not end | opened here | a `}` is missing
    "#]],
    );
    check(
        "int f(void) { if (x",
        expect![[r#"
        1:13: this block does not end | opened here | a `}` is missing
        1:20: expected `)` after the condition of `if`, but found the end of the file | the file ends here | -
    "#]],
    );
    check(
        "struct s {",
        expect![[r#"
        1:11: expected a type of a member, or `}`, but found the end of the file | the file ends here | -
    "#]],
    );
    check("", expect![[r#""#]]);
    check(
        "/*",
        expect![[r#"
        1:1: a comment does not end | starts here | end it with `*/`
    "#]],
    );
    check(
        "\"",
        expect![[r#"
        1:1: a string does not end on its line | starts here | end it with `"`
    "#]],
    );
}
