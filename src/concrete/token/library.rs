//! The abstractions there are.

use super::floats::{FloatSet, above, below};
use super::progression::Progression;
use super::{Abstraction, Kind, Meaning};
use crate::program::{FloatKind, MachineInt, Type};
use crate::term::Integer;
use std::collections::BTreeSet;

/// A `range` keeps at most so many values apart.
const MAX_KEPT: u64 = 4096;

/// NEG, ZERO, POS; of floating-point numbers also NaN.
#[derive(Debug)]
struct Signs;

/// EVEN, ODD.
#[derive(Debug)]
struct Evenness;

/// LESS than the first number, INSIDE, GREATER than the second one.
#[derive(Debug)]
struct Between {
    ends: [Number; 2],
}

/// LESS than the first number, each of those from it to the second one, GREATER.
#[derive(Debug)]
struct Range {
    low: Integer,
    high: Integer,
}

/// Each of a few numbers, and the gaps between them: the values of all comparisons with these numbers.
#[derive(Debug)]
struct Points {
    numbers: Vec<Number>,
}

/// A number that the user wrote.
#[derive(Debug, Clone)]
struct Number {
    text: String,
    integer: Option<Integer>,
    float: f64,
}

impl Number {
    fn parse(text: &str) -> Result<Number, String> {
        let text = text.trim();
        let integer: Option<Integer> = text.parse().ok();
        let float = text.parse::<f64>().ok().filter(|x| !x.is_nan());
        match float {
            Some(float) => Ok(Number { text: text.to_owned(), integer, float: if float == 0.0 { 0.0 } else { float } }),
            None => Err(format!("{text} is not a number")),
        }
    }

    /// The nearest numbers of a format that are not greater, and not less.
    fn around(&self, kind: FloatKind) -> (f64, f64) {
        let near = kind.to_f64(kind.of_f64(self.float));
        match near.total_cmp(&self.float) {
            std::cmp::Ordering::Less => (near, above(near, kind)),
            std::cmp::Ordering::Equal => (near, near),
            std::cmp::Ordering::Greater => (below(near, kind), near),
        }
    }
}

/// Reads one abstraction.
///
/// # Errors
/// What is wrong with it, as a sentence that names those there are.
pub fn parse_part(text: &str) -> Result<Box<dyn Abstraction>, String> {
    let (name, arguments) = match text.split_once('(') {
        Some((name, rest)) => {
            let inside = rest.strip_suffix(')').ok_or_else(|| format!("{text} lacks a closing parenthesis"))?;
            (name.trim(), inside.split(',').map(str::trim).collect::<Vec<_>>())
        }
        None => (text, Vec::new()),
    };
    match (name, arguments.as_slice()) {
        ("signs", []) => Ok(Box::new(Signs)),
        ("evenness", []) => Ok(Box::new(Evenness)),
        ("interval", [low, high]) => {
            let ends = [Number::parse(low)?, Number::parse(high)?];
            match ends[0].float <= ends[1].float {
                true => Ok(Box::new(Between { ends })),
                false => Err(format!("{text} has nothing inside")),
            }
        }
        ("range", [low, high]) => {
            let whole = |text: &str| text.parse::<Integer>().map_err(|_| format!("{text} is not an integer"));
            let (low, high) = (whole(low)?, whole(high)?);
            match (&high - &low).to_i64() {
                Some(apart) if (0..MAX_KEPT as i64).contains(&apart) => Ok(Box::new(Range { low, high })),
                _ => Err(format!("{text} keeps no value, or more than {MAX_KEPT}")),
            }
        }
        ("points" | "predicates", [_, ..]) => {
            let number = |text: &&str| Number::parse(text.trim_start_matches(['<', '>', '=', '!']));
            let mut numbers = arguments.iter().map(number).collect::<Result<Vec<_>, _>>()?;
            numbers.sort_by(|a, b| a.float.total_cmp(&b.float));
            numbers.dedup_by(|a, b| a.float == b.float && a.integer == b.integer);
            Ok(Box::new(Points { numbers }))
        }
        _ => Err(format!(
            "{text} is not an abstraction; there are signs, evenness, interval(MIN,MAX), range(MIN,MAX), points(N,…), \
             predicates(<N,…), and several of them joined by +"
        )),
    }
}

/// The ends of an integer type; none for what is no integer.
fn ends(ty: Type) -> Option<Option<MachineInt>> {
    match ty {
        Type::Int => Some(None),
        Type::Machine(machine) => Some(Some(machine)),
        _ => None,
    }
}

/// The token of the integers from one number to another, as far as the type has any.
fn integers(name: &str, ty: Option<MachineInt>, low: Option<Integer>, high: Option<Integer>) -> Option<Kind> {
    let all = Progression::all(ty);
    let part = Progression::between(low, high).and_then(|part| part.meet(&all))?;
    Some(Kind { name: name.to_owned(), meaning: Meaning::Integers(vec![part]) })
}

fn floats(name: &str, low: f64, high: f64) -> Option<Kind> {
    let set = FloatSet { nan: false, ranges: vec![(low, high)] };
    (low <= high).then(|| Kind { name: name.to_owned(), meaning: Meaning::Floats(set) })
}

fn nan() -> Option<Kind> {
    let set = FloatSet { nan: true, ranges: Vec::new() };
    Some(Kind { name: "NaN".to_owned(), meaning: Meaning::Floats(set) })
}

fn present<const N: usize>(tokens: [Option<Kind>; N]) -> Option<Vec<Kind>> {
    Some(tokens.into_iter().flatten().collect())
}

impl Abstraction for Signs {
    fn name(&self) -> String {
        "signs".to_owned()
    }

    fn tokens(&self, ty: Type) -> Option<Vec<Kind>> {
        if let Type::Float(kind) = ty {
            let (least, infinity) = (above(0.0, kind), f64::INFINITY);
            return present([
                floats("NEG", -infinity, -least),
                floats("ZERO", 0.0, 0.0),
                floats("POS", least, infinity),
                nan(),
            ]);
        }
        let machine = ends(ty)?;
        present([
            integers("NEG", machine, None, Some(Integer::from(-1))),
            integers("ZERO", machine, Some(Integer::ZERO), Some(Integer::ZERO)),
            integers("POS", machine, Some(Integer::ONE), None),
        ])
    }
}

impl Abstraction for Evenness {
    fn name(&self) -> String {
        "evenness".to_owned()
    }

    fn tokens(&self, ty: Type) -> Option<Vec<Kind>> {
        let all = Progression::all(ends(ty)?);
        let token = |name: &str, rest: i64| {
            let class = Progression::new(None, None, Integer::from(2), &Integer::from(rest))?;
            Some(Kind { name: name.to_owned(), meaning: Meaning::Integers(vec![class.meet(&all)?]) })
        };
        present([token("EVEN", 0), token("ODD", 1)])
    }
}

impl Abstraction for Between {
    fn name(&self) -> String {
        format!("interval({},{})", self.ends[0].text, self.ends[1].text)
    }

    fn tokens(&self, ty: Type) -> Option<Vec<Kind>> {
        let [low, high] = &self.ends;
        if let Type::Float(kind) = ty {
            let (low, high) = (low.around(kind).1, high.around(kind).0);
            return present([
                floats("LESS", f64::NEG_INFINITY, below(low, kind)).filter(|_| low > f64::NEG_INFINITY),
                floats("INSIDE", low, high),
                floats("GREATER", above(high.max(below(low, kind)), kind), f64::INFINITY)
                    .filter(|_| high < f64::INFINITY),
                nan(),
            ]);
        }
        let (machine, low, high) = (ends(ty)?, low.integer.clone()?, high.integer.clone()?);
        present([
            integers("LESS", machine, None, Some(&low - &Integer::ONE)),
            integers("INSIDE", machine, Some(low), Some(high.clone())),
            integers("GREATER", machine, Some(&high + &Integer::ONE), None),
        ])
    }
}

impl Abstraction for Range {
    fn name(&self) -> String {
        format!("range({},{})", self.low, self.high)
    }

    fn tokens(&self, ty: Type) -> Option<Vec<Kind>> {
        let machine = ends(ty)?;
        let count = (&self.high - &self.low).to_i64()?;
        let value = |i: i64| {
            let n = &self.low + &Integer::from(i);
            integers(&n.to_string(), machine, Some(n.clone()), Some(n))
        };
        let less = integers("LESS", machine, None, Some(&self.low - &Integer::ONE));
        let greater = integers("GREATER", machine, Some(&self.high + &Integer::ONE), None);
        Some([less].into_iter().chain((0..=count).map(value)).chain([greater]).flatten().collect())
    }
}

impl Abstraction for Points {
    fn name(&self) -> String {
        let numbers: Vec<&str> = self.numbers.iter().map(|number| number.text.as_str()).collect();
        format!("points({})", numbers.join(","))
    }

    fn tokens(&self, ty: Type) -> Option<Vec<Kind>> {
        if let Type::Float(kind) = ty {
            return Some(self.float_tokens(kind));
        }
        let machine = ends(ty)?;
        let points = self.numbers.iter().map(|number| number.integer.clone()).collect::<Option<BTreeSet<_>>>()?;
        let (mut tokens, mut from): (Vec<Option<Kind>>, Option<Integer>) = (Vec::new(), None);
        for point in points {
            let name = from.as_ref().map_or(format!("<{point}"), |from| format!("{from}..{}", &point - &Integer::ONE));
            tokens.push(integers(&name, machine, from, Some(&point - &Integer::ONE)));
            tokens.push(integers(&format!("={point}"), machine, Some(point.clone()), Some(point.clone())));
            from = Some(&point + &Integer::ONE);
        }
        let last = from.as_ref().map_or("ANY".to_owned(), |from| format!(">={from}"));
        tokens.push(integers(&last, machine, from, None));
        Some(tokens.into_iter().flatten().collect())
    }
}

impl Points {
    fn float_tokens(&self, kind: FloatKind) -> Vec<Kind> {
        let (mut tokens, mut from) = (Vec::new(), Some(f64::NEG_INFINITY));
        for number in &self.numbers {
            let (low, high) = number.around(kind);
            if let Some(start) = from {
                let end = if low == high { below(low, kind) } else { low };
                tokens.extend(floats(&format!("<{}", number.text), start, end).filter(|_| start < low || low != high));
            }
            if low == high {
                tokens
                    .extend(floats(&format!("={}", number.text), low, low).filter(|_| from.is_some_and(|f| f <= low)));
            }
            let next = if low == high { above(high, kind) } else { high };
            from = (high < f64::INFINITY).then_some(next).or(from.filter(|_| low != high));
        }
        if let Some(start) = from {
            tokens.extend(floats("ABOVE", start, f64::INFINITY));
        }
        tokens.extend(nan());
        tokens
    }
}
