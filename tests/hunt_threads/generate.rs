//! Random programs with threads, as C and as Java.

use super::abstract_program::{PLACES, Place, Program, S, Statement, W};
use std::fmt::Write;

/// The sequence called splitmix64.
pub struct Random(pub u64);

impl Random {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u8) -> u8 {
        u8::try_from(self.number() % u64::from(n)).unwrap()
    }

    fn place(&mut self, places: u8) -> Place {
        self.below(places).into()
    }
}

/// Which statements there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    Java,
}

/// The program of a seed.
pub fn program(seed: u64, language: Language) -> Program {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    // Some programs take the lock for everything, so that not all of them race.
    let discipline = random.below(3);
    let threads = 2 + usize::from(random.below(6) == 0 && language == Language::C);
    let most = if threads == 2 { 3 } else { 2 };
    let mut block = |length: u8, depth: u8| {
        let inner = statements(&mut random, length, depth, language);
        if discipline == 0 { vec![Statement::Locked(0, plain(inner))] } else { inner }
    };
    let alike = language == Language::C && seed % 4 == 1;
    let threads = match alike {
        true => vec![block(2, 0); 2 + usize::from(seed % 8 == 1)],
        false => (0..threads).map(|_| block(most, 0)).collect(),
    };
    let first = if seed.is_multiple_of(3) { block(1, 1) } else { Vec::new() };
    let wrong = [(random.place(7), random.below(3)), (random.place(7), random.below(3))];
    Program { first, threads, wrong, alike }
}

/// The statements without those that take locks.
fn plain(statements: Vec<Statement>) -> Vec<Statement> {
    let mut found = Vec::new();
    for statement in statements {
        match statement {
            Statement::Locked(_, inner) => found.extend(plain(inner)),
            other => found.push(other),
        }
    }
    found
}

fn statements(random: &mut Random, most: u8, depth: u8, language: Language) -> Vec<Statement> {
    (0..=random.below(most)).map(|_| statement(random, depth, language)).collect()
}

fn statement(random: &mut Random, depth: u8, language: Language) -> Statement {
    let kinds = if language == Language::C { 14 } else { 8 };
    let (one, other) = if random.below(2) == 0 { (S, W) } else { (W, S) };
    match random.below(kinds) {
        0 => Statement::Set(random.place(6), random.below(3)),
        1 => Statement::Add(random.place(6), 1 + random.below(2)),
        2 => Statement::Move(random.place(6), random.place(6)),
        3 | 4 if depth < 2 => {
            let lock = usize::from(random.below(2));
            let inner = statements(random, 2, depth + 1, language);
            let free = inner.into_iter().filter(|s| !takes(s, lock)).collect();
            Statement::Locked(lock, free)
        }
        5 => Statement::AtomicAdd(1 + random.below(2)),
        3 | 4 | 6 | 7 => Statement::Check(random.place(6), 1 + random.below(3)),
        8 => Statement::Section(
            (0..=random.below(2)).map(|_| Statement::Move(random.place(6), random.place(6))).collect(),
        ),
        9 => Statement::Assume(random.place(6), random.below(2)),
        10 => Statement::CheckPair(one, random.below(3), random.below(3)),
        11 => Statement::SetPair(one, random.below(3), 1 + random.below(2)),
        12 => Statement::MovePair(one, other),
        _ => Statement::Clear(one),
    }
}

/// Whether a statement takes a lock.
fn takes(statement: &Statement, lock: usize) -> bool {
    match statement {
        Statement::Locked(own, inner) => *own == lock || inner.iter().any(|inner| takes(inner, lock)),
        _ => false,
    }
}

const C_HEAD: &str = "typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void *memset(void *, int, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
struct pair { int a, b; };
int x, y;
struct pair s, w;
_Atomic int c;
pthread_mutex_t m0, m1;
";

/// A program whose threads are alike, in C. That the first thread waits for the others is an assumption where failures are asked
/// for; where it is about states, nothing comes after the others, and it ends alone.
fn alike_as_c(program: &Program, asks_for_states: bool) -> String {
    let mut text = C_HEAD.to_owned();
    text.push_str("extern void pthread_exit(void *);\nint ended;\nvoid *t(void *argument) {\n");
    program.threads[0].iter().for_each(|statement| c_statement(&mut text, statement));
    let ends = "  __VERIFIER_atomic_begin();\n  ended = ended + 1;\n  __VERIFIER_atomic_end();\n";
    let count = program.threads.len();
    writeln!(text, "{}  return 0;\n}}\nint main(void) {{\n  pthread_t p;", if asks_for_states { "" } else { ends })
        .unwrap();
    (0..count).for_each(|_| text.push_str("  pthread_create(&p, 0, t, 0);\n"));
    program.first.iter().for_each(|statement| c_statement(&mut text, statement));
    if asks_for_states {
        text.push_str("  pthread_exit(0);\n  return 0;\n}\n");
        return text;
    }
    writeln!(text, "  __VERIFIER_atomic_begin();\n  __VERIFIER_assume(ended == {count});\n  __VERIFIER_atomic_end();")
        .unwrap();
    let [(a, m), (b, n)] = program.wrong;
    writeln!(text, "  int l = {}, r = {};", PLACES[a], PLACES[b]).unwrap();
    writeln!(text, "  if (l == {m} && r == {n}) reach_error();\n  return 0;\n}}").unwrap();
    text
}

/// The program in C, to ask for failures or for what its states are.
pub fn as_c(program: &Program, asks_for_states: bool) -> String {
    if program.alike {
        return alike_as_c(program, asks_for_states);
    }
    let mut text = C_HEAD.to_owned();
    for (number, thread) in program.threads.iter().enumerate() {
        writeln!(text, "void *t{}(void *argument) {{", number + 1).unwrap();
        thread.iter().for_each(|statement| c_statement(&mut text, statement));
        text.push_str("  return 0;\n}\n");
    }
    text.push_str("int main(void) {\n");
    for number in 1..=program.threads.len() {
        writeln!(text, "  pthread_t p{number};").unwrap();
    }
    for number in 1..=program.threads.len() {
        writeln!(text, "  pthread_create(&p{number}, 0, t{number}, 0);").unwrap();
    }
    program.first.iter().for_each(|statement| c_statement(&mut text, statement));
    for number in 1..=program.threads.len() {
        writeln!(text, "  pthread_join(p{number}, 0);").unwrap();
    }
    let [(a, m), (b, n)] = program.wrong;
    writeln!(text, "  int l = {}, r = {};", PLACES[a], PLACES[b]).unwrap();
    writeln!(text, "  if (l == {m} && r == {n}) reach_error();\n  return 0;\n}}").unwrap();
    text
}

fn c_statement(text: &mut String, statement: &Statement) {
    let name = |place: &Place| PLACES[*place];
    let pair = |at: &Place| if *at == S { "s" } else { "w" };
    match statement {
        Statement::Set(place, k) => writeln!(text, "  {} = {k};", name(place)),
        Statement::Add(place, k) => writeln!(text, "  {0} = {0} + {k};", name(place)),
        Statement::Move(to, from) => writeln!(text, "  {} = {};", name(to), name(from)),
        Statement::Locked(lock, inner) => {
            writeln!(text, "  pthread_mutex_lock(&m{lock});").unwrap();
            inner.iter().for_each(|inner| c_statement(text, inner));
            writeln!(text, "  pthread_mutex_unlock(&m{lock});")
        }
        Statement::AtomicAdd(k) => writeln!(text, "  __atomic_fetch_add(&c, {k}, 5);"),
        Statement::Section(inner) => {
            text.push_str("  __VERIFIER_atomic_begin();\n");
            inner.iter().for_each(|inner| c_statement(text, inner));
            writeln!(text, "  __VERIFIER_atomic_end();")
        }
        Statement::Assume(place, k) => writeln!(text, "  __VERIFIER_assume({} == {k});", name(place)),
        Statement::Check(place, k) => writeln!(text, "  if ({} == {k}) reach_error();", name(place)),
        Statement::CheckPair(at, m, n) => {
            writeln!(text, "  {{ struct pair q = {}; if (q.a == {m} && q.b == {n}) reach_error(); }}", pair(at))
        }
        Statement::SetPair(at, m, n) => writeln!(text, "  {} = (struct pair){{{m}, {n}}};", pair(at)),
        Statement::MovePair(to, from) if to > from => {
            writeln!(text, "  memcpy(&{}, &{}, sizeof(struct pair));", pair(to), pair(from))
        }
        Statement::MovePair(to, from) => writeln!(text, "  {} = {};", pair(to), pair(from)),
        Statement::Clear(at) => writeln!(text, "  memset(&{0}, 0, sizeof {0});", pair(at)),
    }
    .unwrap();
}

/// The program in Java, as a class of that name.
pub fn as_java(program: &Program, class: &str) -> String {
    let mut text = format!(
        "import java.util.concurrent.atomic.AtomicInteger;
class {class} {{
  static int x, y, sa, sb, wa, wb;
  static final AtomicInteger c = new AtomicInteger();
  static final Object m0 = new Object(), m1 = new Object();
"
    );
    for (number, thread) in program.threads.iter().enumerate() {
        writeln!(text, "  static class T{0} extends Thread {{ public void run() {{", number + 1).unwrap();
        thread.iter().for_each(|statement| java_statement(&mut text, statement));
        text.push_str("  } }\n");
    }
    text.push_str("  public static void main(String[] a) throws InterruptedException {\n");
    for number in 1..=program.threads.len() {
        writeln!(text, "    Thread p{number} = new T{number}();").unwrap();
    }
    for number in 1..=program.threads.len() {
        writeln!(text, "    p{number}.start();").unwrap();
    }
    program.first.iter().for_each(|statement| java_statement(&mut text, statement));
    for number in 1..=program.threads.len() {
        writeln!(text, "    p{number}.join();").unwrap();
    }
    let [(a, m), (b, n)] = program.wrong;
    writeln!(text, "    int l = {}, r = {};", java_name(a), java_name(b)).unwrap();
    writeln!(text, "    assert !(l == {m} && r == {n});\n  }}\n}}").unwrap();
    text
}

fn java_name(place: Place) -> &'static str {
    ["x", "y", "sa", "sb", "wa", "wb", "c.get()"][place]
}

fn java_statement(text: &mut String, statement: &Statement) {
    let name = |place: &Place| java_name(*place);
    match statement {
        Statement::Set(place, k) => writeln!(text, "    {} = {k};", name(place)),
        Statement::Add(place, k) => writeln!(text, "    {0} = {0} + {k};", name(place)),
        Statement::Move(to, from) => writeln!(text, "    {} = {};", name(to), name(from)),
        Statement::Locked(lock, inner) => {
            writeln!(text, "    synchronized (m{lock}) {{").unwrap();
            inner.iter().for_each(|inner| java_statement(text, inner));
            writeln!(text, "    }}")
        }
        Statement::AtomicAdd(k) => writeln!(text, "    c.addAndGet({k});"),
        Statement::Check(place, k) => writeln!(text, "    assert {} != {k};", name(place)),
        other => unreachable!("{other:?} is not in Java"),
    }
    .unwrap();
}
