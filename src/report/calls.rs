//! Calls of a library: a counterexample tells in the line of the call what they give, and shows those of their inputs that
//! are data.

use super::place::readable;
use crate::concrete::{Effect, Input, ReplayedStep, Value};
use crate::program::{ProcId, Program, Scope, Statement, VarId};

/// How the library calls a variable whose input decides how a call ends; what it gives tells the same.
const OUTCOMES: [&str; 3] = ["outcome", "end", "error"];

/// What a call of a library function gave, unless it says nothing.
pub(super) fn result(program: &Program, procedure: ProcId, value: &Value) -> Option<Effect> {
    let name = program.procedures[procedure].name.trim_end_matches('\'');
    let shown = readable(value);
    let (name, after) = match (name, shown.as_str()) {
        (_, text) if text.starts_with('&') => return None,
        _ if name.starts_with("__scan_") => match shown.as_str() {
            "-1" => ("scanf", "no more input".to_owned()),
            "0" => ("scanf", "the input does not match".to_owned()),
            _ => return None,
        },
        _ if name.starts_with("__") => return None,
        (_, "null") => (name, "NULL".to_owned()),
        _ => (name, shown),
    };
    Some(Effect { place: None, name: format!("{name}()"), before: None, after })
}

/// The inputs of a step of the library that are data: those that decide how a call ends are told by what it gives.
pub(super) fn data<'s>(program: &Program, step: &'s ReplayedStep) -> Vec<&'s Input> {
    let edge = step.edge.and_then(|edge| program.procedures[step.procedure].edges.get(edge));
    let block = edge.map_or(&[][..], |edge| edge.block.as_slice());
    let mut at = 0;
    let mut is_data = |input: &&Input| {
        let Some(variable) = input.variable else { return true };
        let takes = |statement: &Statement| matches!(statement, Statement::Havoc { target, .. } if *target == variable);
        at += block[at..].iter().position(takes).map_or(0, |index| index + 1);
        !is_outcome(program, variable, &block[at..])
    };
    step.inputs.iter().filter(|input| is_data(input)).collect()
}

/// How the source asks for an input: a call that gives it, or a function that gives nothing.
pub(super) fn asked(program: &Program, input: &Input) -> Option<String> {
    const LONGEST: usize = 40;
    let variable = &program.variables[input.variable?];
    if let (Scope::Local(procedure), "result") = (variable.scope, variable.name.as_str()) {
        return Some(format!("{}()", program.procedures[procedure].name));
    }
    let span = input.span?;
    let text = program.sources.get(span.file)?.text.get(span.start as usize..span.end as usize)?;
    let is_call = text.ends_with(')') && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (is_call && text.len() <= LONGEST && !text.contains(char::is_control)).then(|| text.to_owned())
}

/// Whether what a variable holds before the statements goes to a variable that says how a call ends.
fn is_outcome(program: &Program, variable: VarId, rest: &[Statement]) -> bool {
    let is_named = |variable: VarId| {
        let name = program.variables[variable].name.split('.').next().unwrap_or_default();
        OUTCOMES.contains(&name)
    };
    let goes_to_outcome = |statement: &Statement| match statement {
        Statement::Assign(pairs) => pairs.iter().any(|(target, value)| {
            let mut is_used = false;
            value.for_each_var(&mut |used| is_used |= used == variable);
            is_used && is_named(*target)
        }),
        _ => false,
    };
    let is_kept = |statement: &&Statement| !statement.targets().contains(&variable);
    is_named(variable) || rest.iter().take_while(is_kept).any(goes_to_outcome)
}

/// The name that a variable has in the source: those of inner blocks that have the same name are numbered.
pub(super) fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(dot) = rest.find('.') {
        let digits = rest[dot + 1..].chars().take_while(char::is_ascii_digit).count();
        let follows = rest[dot + 1 + digits..].chars().next();
        let is_number = digits > 0 && follows.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let is_name = rest[..dot].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        plain.push_str(&rest[..dot]);
        if is_number && is_name {
            rest = &rest[dot + 1 + digits..];
        } else {
            plain.push('.');
            rest = &rest[dot + 1..];
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn numbers_of_variables_are_left_out() {
        for (name, expected) in [
            ("i.2", "i"),
            ("a.3[1]", "a[1]"),
            ("s.x", "s.x"),
            ("s.2.x", "s.x"),
            ("i", "i"),
            ("p.2->next.x", "p->next.x"),
        ] {
            assert_eq!(plain(name), expected);
        }
    }
}
