//! Small programs with threads, and all their interleavings: what they can do, found without Tandem.

use std::collections::BTreeSet;

/// Where a number is kept that threads share: `x`, `y`, the members of the structures `s` and `w`, the atomic `c`.
pub type Place = usize;

/// The places as C has them.
pub const PLACES: [&str; 7] = ["x", "y", "s.a", "s.b", "w.a", "w.b", "c"];
/// The place that is atomic.
pub const ATOMIC: Place = 6;
/// Where the members of `s` start, and those of `w`.
pub const S: Place = 2;
/// See above.
pub const W: Place = 4;

/// A statement of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// `x = k`
    Set(Place, u8),
    /// `x = x + k`
    Add(Place, u8),
    /// `x = y`
    Move(Place, Place),
    /// Something while holding one of the locks.
    Locked(usize, Vec<Statement>),
    /// An addition to the atomic.
    AtomicAdd(u8),
    /// Something in an atomic section.
    Section(Vec<Statement>),
    /// Goes on only if the place had the value.
    Assume(Place, u8),
    /// An error if the place had the value.
    Check(Place, u8),
    /// Copies a structure into a local; an error if its members had these values.
    CheckPair(Place, u8, u8),
    /// Copies a local structure of these members.
    SetPair(Place, u8, u8),
    /// Copies a shared structure to the other one.
    MovePair(Place, Place),
    /// Fills a structure with zeros.
    Clear(Place),
}

/// A program: what the first thread does while the others run, what each of them does, what must not be in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub first: Vec<Statement>,
    pub threads: Vec<Vec<Statement>>,
    pub wrong: [(Place, u8); 2],
    /// Whether all threads but the first are the same, and nobody waits for the end of one by its number.
    pub alike: bool,
}

/// What a program can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Behaviour {
    pub fails: bool,
    pub races: bool,
    pub deadlocks: bool,
}

/// A step.
#[derive(Debug, Clone)]
enum Step {
    Read(Place, usize),
    /// A register and a constant, added.
    Write(Place, Option<usize>, u8),
    Lock(usize),
    Unlock(usize),
    Assume(usize, u8),
    Check(Vec<(usize, u8)>),
    Start(usize),
    Join(usize),
    /// All at once.
    Atomic(Vec<Step>),
}

const REGISTERS: usize = 2;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    places: [u8; PLACES.len()],
    owners: [Option<usize>; 2],
    /// Where each thread is, its registers; none before it starts.
    threads: Vec<Option<(usize, [u8; REGISTERS])>>,
}

impl Program {
    /// Looks at every interleaving.
    pub fn behaviour(&self) -> Behaviour {
        let mut codes = vec![self.first_code()];
        codes.extend(self.threads.iter().map(|thread| code(thread)));
        let mut threads = vec![None; codes.len()];
        threads[0] = Some((0, [0; REGISTERS]));
        let first = State { places: [0; PLACES.len()], owners: [None; 2], threads };
        let mut behaviour = Behaviour { fails: false, races: false, deadlocks: false };
        let (mut seen, mut open) = (BTreeSet::from([first.clone()]), vec![first]);
        while let Some(state) = open.pop() {
            behaviour.races |= state.races(&codes);
            behaviour.deadlocks |= state.is_deadlock(&codes);
            for thread in 0..codes.len() {
                match state.after(thread, &codes) {
                    Next::Blocked => {}
                    Next::Fails => behaviour.fails = true,
                    Next::State(next) => {
                        if seen.insert(next.clone()) {
                            open.push(next);
                        }
                    }
                }
            }
        }
        behaviour
    }

    fn first_code(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = (1..=self.threads.len()).map(Step::Start).collect();
        steps.extend(code(&self.first));
        steps.extend((1..=self.threads.len()).map(Step::Join));
        let [(a, m), (b, n)] = self.wrong;
        steps.extend([Step::Read(a, 0), Step::Read(b, 1), Step::Check(vec![(0, m), (1, n)])]);
        steps
    }
}

/// The steps of statements.
fn code(statements: &[Statement]) -> Vec<Step> {
    let mut steps = Vec::new();
    for statement in statements {
        match statement {
            Statement::Set(place, k) => steps.push(Step::Write(*place, None, *k)),
            Statement::Add(place, k) => steps.extend([Step::Read(*place, 0), Step::Write(*place, Some(0), *k)]),
            Statement::Move(to, from) => steps.extend([Step::Read(*from, 0), Step::Write(*to, Some(0), 0)]),
            Statement::Locked(lock, inner) => {
                steps.push(Step::Lock(*lock));
                steps.extend(code(inner));
                steps.push(Step::Unlock(*lock));
            }
            Statement::AtomicAdd(k) => {
                steps.push(Step::Atomic(vec![Step::Read(ATOMIC, 0), Step::Write(ATOMIC, Some(0), *k)]));
            }
            Statement::Section(inner) => steps.push(Step::Atomic(code(inner))),
            Statement::Assume(place, k) => steps.extend([Step::Read(*place, 0), Step::Assume(0, *k)]),
            Statement::Check(place, k) => steps.extend([Step::Read(*place, 0), Step::Check(vec![(0, *k)])]),
            Statement::CheckPair(at, m, n) => {
                steps.extend([Step::Read(*at, 0), Step::Read(at + 1, 1), Step::Check(vec![(0, *m), (1, *n)])]);
            }
            Statement::SetPair(at, m, n) => {
                steps.extend([Step::Write(*at, None, *m), Step::Write(at + 1, None, *n)]);
            }
            Statement::MovePair(to, from) => {
                for member in 0..2 {
                    steps.extend([Step::Read(from + member, 0), Step::Write(to + member, Some(0), 0)]);
                }
            }
            Statement::Clear(at) => steps.extend([Step::Write(*at, None, 0), Step::Write(at + 1, None, 0)]),
        }
    }
    steps
}

enum Next {
    Blocked,
    Fails,
    State(State),
}

/// Why a thread does not go on.
#[derive(PartialEq, Eq)]
enum StateCheck {
    Goes,
    Ended,
    Waits,
    Stuck,
}

impl State {
    fn next_step<'c>(&self, thread: usize, codes: &'c [Vec<Step>]) -> Option<&'c Step> {
        self.threads[thread].and_then(|(at, _)| codes[thread].get(at))
    }

    fn after(&self, thread: usize, codes: &[Vec<Step>]) -> Next {
        let Some(step) = self.next_step(thread, codes) else { return Next::Blocked };
        let mut next = self.clone();
        match next.take(thread, step, codes) {
            Next::Fails => Next::Fails,
            Next::Blocked => Next::Blocked,
            Next::State(mut next) => {
                if let Some((at, _)) = &mut next.threads[thread] {
                    *at += 1;
                }
                Next::State(next)
            }
        }
    }

    fn take(&mut self, thread: usize, step: &Step, codes: &[Vec<Step>]) -> Next {
        let (_, mut registers) = self.threads[thread].unwrap();
        match step {
            Step::Read(place, register) => registers[*register] = self.places[*place],
            Step::Write(place, register, k) => {
                self.places[*place] = register.map_or(0, |register| registers[register]) + k;
            }
            Step::Lock(lock) => {
                if self.owners[*lock].is_some() {
                    return Next::Blocked;
                }
                self.owners[*lock] = Some(thread);
            }
            Step::Unlock(lock) => self.owners[*lock] = None,
            Step::Assume(register, k) => {
                if registers[*register] != *k {
                    return Next::Blocked;
                }
            }
            Step::Check(all) => {
                if all.iter().all(|(register, k)| registers[*register] == *k) {
                    return Next::Fails;
                }
            }
            Step::Start(other) => self.threads[*other] = Some((0, [0; REGISTERS])),
            Step::Join(other) => {
                if self.threads[*other].is_none_or(|(at, _)| at < codes[*other].len()) {
                    return Next::Blocked;
                }
            }
            Step::Atomic(steps) => {
                for step in steps {
                    match self.take(thread, step, codes) {
                        Next::State(next) => *self = next,
                        other => return other,
                    }
                }
                return Next::State(self.clone());
            }
        }
        if let Some((_, own)) = &mut self.threads[thread] {
            *own = registers;
        }
        Next::State(self.clone())
    }

    fn check_state(&self, thread: usize, codes: &[Vec<Step>]) -> StateCheck {
        match self.next_step(thread, codes) {
            None => StateCheck::Ended,
            Some(step) => match (self.after(thread, codes), step) {
                (Next::Blocked, Step::Lock(_) | Step::Join(_)) => StateCheck::Waits,
                (Next::Blocked, _) => StateCheck::Stuck,
                _ => StateCheck::Goes,
            },
        }
    }

    /// Whether some wait, and nobody can go on.
    fn is_deadlock(&self, codes: &[Vec<Step>]) -> bool {
        let all: Vec<StateCheck> = (0..codes.len()).map(|thread| self.check_state(thread, codes)).collect();
        all.contains(&StateCheck::Waits) && !all.contains(&StateCheck::Goes) && !all.contains(&StateCheck::Stuck)
    }

    /// Whether two threads are about to access one place, one of them to write, not both atomically.
    fn races(&self, codes: &[Vec<Step>]) -> bool {
        let about: Vec<_> = (0..codes.len()).map(|thread| accesses(self.next_step(thread, codes), false)).collect();
        about.iter().enumerate().any(|(number, one)| {
            about[..number].iter().flatten().any(|(place, writes, is_atomic)| {
                one.iter().any(|(p, w, a)| place == p && (*writes || *w) && !(*is_atomic && *a))
            })
        })
    }
}

/// The places that a step accesses, whether it writes them, whether atomically.
fn accesses(step: Option<&Step>, is_atomic: bool) -> Vec<(Place, bool, bool)> {
    match step {
        Some(Step::Read(place, _)) => vec![(*place, false, is_atomic)],
        Some(Step::Write(place, ..)) => vec![(*place, true, is_atomic)],
        Some(Step::Atomic(steps)) => steps.iter().flat_map(|step| accesses(Some(step), true)).collect(),
        _ => Vec::new(),
    }
}
