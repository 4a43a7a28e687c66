//! Which variables and fields are abstract, and how: by their names in the source.

use super::abstraction::Spec;
use super::auto::{loop_guards, made_abstract};
use super::{Partition, Token};
use crate::concrete::{Value, is_operand};
use crate::program::{Program, Scope, Type, VarId};
use std::collections::BTreeMap;

/// The abstract variables and fields of a program.
#[derive(Debug, Clone, Default)]
pub struct Abstractions {
    variables: BTreeMap<VarId, &'static Spec>,
    /// By the number of a class and an offset into its objects.
    fields: BTreeMap<(i32, u32), (&'static Spec, Type)>,
}

/// A name or an abstraction that cannot be used: what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct BadName {
    /// What is wrong.
    pub text: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Whether there is no such variable.
    pub is_unknown: bool,
}

/// What a comment that names something abstract starts with: `/* tandem: abstract x signs */`.
const MARK: &str = "tandem: abstract ";

/// What says that the variables are to be abstract that only guard loops.
const AUTO: &str = "auto";

/// At most so many names are told to somebody who misspelt one.
const MAX_CANDIDATES: usize = 20;

impl Abstractions {
    /// What comments in the program say, then lines such as `Producer.run.remaining=signs`.
    ///
    /// # Errors
    /// Where a line names no variable, no abstraction, or one that does not fit the variable's type.
    pub fn parse<'l>(program: &Program, lines: impl IntoIterator<Item = &'l str>) -> Result<Abstractions, BadName> {
        let mut all = Abstractions::default();
        all.variables.extend(made_abstract(program));
        for source in program.sources.iter() {
            // A Java program is made of the methods that it calls; those of other classes are not there to be named.
            let may_be_absent = source.name.ends_with(".java");
            for line in source.text.lines().filter_map(comment) {
                match all.add_line(program, &line) {
                    Err(BadName { is_unknown: true, .. }) if may_be_absent => {}
                    added => added?,
                }
            }
        }
        lines.into_iter().try_for_each(|line| all.add_line(program, line))?;
        Ok(all)
    }

    fn add_line(&mut self, program: &Program, line: &str) -> Result<(), BadName> {
        if line.trim() == AUTO {
            self.variables.extend(loop_guards(program));
            return Ok(());
        }
        let text = format!("{line} does not say what is abstract, and how");
        let hint = Some("write NAME=ABSTRACTION, as in Producer.run.remaining=signs".to_owned());
        let (name, spec) = line.split_once('=').ok_or(BadName { text, hint, is_unknown: false })?;
        let spec = Spec::parse(spec.trim()).map_err(|text| BadName { text, hint: None, is_unknown: false })?;
        self.add(program, name.trim(), spec)
    }

    /// Makes a variable abstract.
    pub fn insert(&mut self, variable: VarId, spec: &'static Spec) {
        self.variables.insert(variable, spec);
    }

    /// Makes variables and fields abstract that another one has too.
    pub fn extend(&mut self, other: &Abstractions) {
        self.variables.extend(other.variables.iter().map(|(variable, spec)| (*variable, *spec)));
        self.fields.extend(other.fields.iter().map(|(field, spec)| (*field, *spec)));
    }

    /// Whether nothing is abstract.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.fields.is_empty()
    }

    /// The abstract variables.
    pub fn variables(&self) -> impl Iterator<Item = (VarId, &'static Spec)> {
        self.variables.iter().map(|(variable, spec)| (*variable, *spec))
    }

    /// The same without some variables; and without fields, where there are none of these left to take away.
    pub fn without(&self, variables: &[VarId]) -> Abstractions {
        let mut rest = self.clone();
        rest.variables.retain(|variable, _| !variables.contains(variable));
        if rest.variables.len() == self.variables.len() {
            return Abstractions::default();
        }
        rest
    }

    /// What is abstract, in the words of the source.
    pub fn describe(&self, program: &Program) -> Vec<String> {
        let variable = |(id, spec): (&VarId, &&Spec)| format!("{}={}", full_name(program, *id), spec.name());
        let field = |((class, offset), (spec, _)): (&(i32, u32), &(&Spec, Type))| {
            let class = program.classes.iter().find(|known| known.number == *class)?;
            let field = class.fields.iter().find(|field| field.offset == *offset)?;
            Some(format!("{}.{}={}", class.name, field.name, spec.name()))
        };
        self.variables.iter().map(variable).chain(self.fields.iter().filter_map(field)).collect()
    }

    /// The partition of a variable's values.
    pub(in crate::concrete) fn of_variable(&self, program: &Program, variable: VarId) -> Option<&'static Partition> {
        let spec = self.variables.get(&variable)?;
        Some(Partition::of(spec, program.variables[variable].ty))
    }

    /// The classes whose objects have an abstract field of that type there.
    pub(in crate::concrete) fn of_offset(&self, offset: i64, ty: Type) -> Vec<(i32, &'static Partition)> {
        let there = self.fields.iter().filter(|((_, at), (_, of))| i64::from(*at) == offset && *of == ty);
        there.map(|((class, _), (spec, _))| (*class, Partition::of(spec, ty))).collect()
    }

    fn add(&mut self, program: &Program, name: &str, spec: &'static Spec) -> Result<(), BadName> {
        let mut variables: Vec<VarId> = program.variables.ids().filter(|id| is_named(program, *id, name)).collect();
        let fields = fields(program, name);
        if variables.is_empty() && fields.is_empty() {
            let is_local = |id: &VarId| plain(&program.variables[*id].name) == name;
            variables = program.variables.ids().filter(is_local).collect();
        }
        if variables.is_empty() && fields.is_empty() {
            return Err(unknown(program, name));
        }
        for (_, ty) in
            variables.iter().map(|id| ((), program.variables[*id].ty)).chain(fields.iter().map(|f| ((), f.1)))
        {
            let unfit =
                if ty == Type::Bool || ty == Type::Pointer { vec![spec.name().to_owned()] } else { spec.unfit(ty) };
            if !unfit.is_empty() {
                let text = format!("{name} is of type {ty}, which {} does not fit", unfit.join(" and "));
                let hint = "signs and interval fit integers and floating-point numbers, evenness and range integers";
                return Err(BadName { text, hint: Some(hint.to_owned()), is_unknown: false });
            }
        }
        self.variables.extend(variables.into_iter().map(|id| (id, spec)));
        self.fields.extend(fields.into_iter().map(|(place, ty)| (place, (spec, ty))));
        Ok(())
    }
}

/// A name without the number that tells apart variables of one name.
fn plain(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((rest, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => name,
    }
}

/// The procedure, without its parameters, and the variable.
fn full_name(program: &Program, id: VarId) -> String {
    let variable = &program.variables[id];
    match variable.scope {
        Scope::Global => variable.name.clone(),
        Scope::Local(procedure) => {
            let name = &program.procedures[procedure].name;
            format!("{}.{}", name.split('(').next().unwrap_or(name), plain(&variable.name))
        }
    }
}

fn is_named(program: &Program, id: VarId, name: &str) -> bool {
    let full = full_name(program, id);
    full == name || full.ends_with(&format!(".{name}")) && name.contains('.')
}

/// The places of a field `Class.field`, in objects of the class and of those that extend it.
fn fields(program: &Program, name: &str) -> Vec<((i32, u32), Type)> {
    let Some((class, field)) = name.rsplit_once('.') else { return Vec::new() };
    let Some(owner) = program.classes.iter().find(|known| known.name == class) else { return Vec::new() };
    let Some(found) = owner.fields.iter().find(|known| known.name == field) else { return Vec::new() };
    let extends = |other: &&crate::program::ObjectClass| owner.fields.iter().all(|f| other.fields.contains(f));
    program.classes.iter().filter(extends).map(|class| ((class.number, found.offset), found.ty)).collect()
}

fn unknown(program: &Program, name: &str) -> BadName {
    let in_memory = |id: &VarId| {
        let full = full_name(program, *id);
        let (place, last) = full.rsplit_once('.').map_or(("", full.as_str()), |(place, last)| (place, last));
        last.strip_prefix('&').is_some_and(|last| name == last || name == format!("{place}.{last}"))
    };
    if program.variables.ids().any(|id| in_memory(&id)) {
        let text = format!("{name} lies in memory, since its address is taken or it has parts; it cannot be abstract");
        return BadName {
            text,
            hint: Some("copy its value to a variable, and name that".to_owned()),
            is_unknown: false,
        };
    }
    let is_numeric = |ty: Type| !matches!(ty, Type::Bool | Type::Pointer);
    let numeric = program.variables.enumerate().filter(|(_, variable)| is_numeric(variable.ty));
    let is_nameless =
        |name: &str| name.strip_prefix("local").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let of_place = name.rsplit_once('.').map_or("", |(place, _)| place);
    let all: Vec<String> = numeric.map(|(id, _)| full_name(program, id)).collect();
    let near: Vec<&String> = all
        .iter()
        .filter(|full| {
            let (place, last) = full.rsplit_once('.').unwrap_or(("", full));
            !is_operand(last)
                && last != "result"
                && !last.starts_with('%')
                && (of_place.is_empty() || place == of_place)
        })
        .collect();
    if !near.is_empty()
        && !of_place.is_empty()
        && near.iter().all(|full| is_nameless(full.rsplit('.').next().unwrap_or(full)))
    {
        let text = format!("{name} is not known: the class file does not name the variables of {of_place}");
        return BadName { text, hint: Some("compile with javac -g".to_owned()), is_unknown: true };
    }
    let fields = program.classes.iter().flat_map(|class| {
        let numeric = class.fields.iter().filter(|field| is_numeric(field.ty));
        numeric.map(move |field| format!("{}.{}", class.name, field.name)).filter(|_| class.name == of_place)
    });
    let mut names: Vec<String> = near.into_iter().cloned().chain(fields).collect();
    names.sort();
    names.dedup();
    names.truncate(MAX_CANDIDATES);
    let hint = (!names.is_empty()).then(|| format!("there are {}", names.join(", ")));
    BadName { text: format!("there is no variable {name} that can be abstract"), hint, is_unknown: true }
}

/// The token that a value becomes where it is written to an abstract variable; a token stays what it is.
pub(in crate::concrete) fn written(value: Value, partition: Option<&'static Partition>) -> Value {
    match partition.and_then(|partition| partition.token_of(&value)) {
        Some(token @ Token { .. }) => Value::Token(token),
        None => value,
    }
}

/// What a comment says is abstract, as the command line would.
fn comment(line: &str) -> Option<String> {
    let (before, after) = line.split_once(MARK)?;
    let is_comment = ["//", "/*", "#", "--", "%"].iter().any(|start| before.trim_end().ends_with(start));
    let mut words = after.split("*/").next()?.split_whitespace();
    let (name, spec) = (words.next()?, words.collect::<Vec<_>>().concat());
    is_comment.then(|| if spec.is_empty() { name.to_owned() } else { format!("{name}={spec}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_what_is_abstract() {
        assert_eq!(comment("int x; /* tandem: abstract x signs */"), Some("x=signs".to_owned()));
        assert_eq!(
            comment("// tandem: abstract f.y interval(0, 10)+evenness"),
            Some("f.y=interval(0,10)+evenness".to_owned())
        );
        assert_eq!(comment("# tandem: abstract auto"), Some("auto".to_owned()));
        assert_eq!(comment("puts(\"tandem: abstract x signs\");"), None);
    }
}
