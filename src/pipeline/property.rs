//! The property that the user asks for: a short name, or an SV-COMP property file.

use super::InputError;
use super::input::{self, Language};
use crate::frontend;
use crate::program::{Property, Rules};
use std::path::Path;

/// The function that SV-COMP tasks must not call, unless their property file names another one.
pub(super) const ERROR_FUNCTION: &str = "reach_error";
/// What it was called in older tasks.
const OLD_ERROR_FUNCTION: &str = "__VERIFIER_error";

/// What memory safety is made of.
const MEMSAFETY: [Property; 3] = [Property::ValidFree, Property::ValidDeref, Property::ValidMemtrack];

/// A property as the user asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The property.
    pub property: Property,
    /// Another function that must not be called, where no file names one.
    pub error_function: Option<&'static str>,
    /// Whose rules hold: those of the competition where a property file of it asks.
    pub rules: Rules,
}

/// The property that a text names, for a program of that language; without a text, all that can go wrong in it.
pub(crate) fn resolve(text: Option<&str>, language: Language) -> Result<Asked, InputError> {
    match text {
        None => Ok(Asked { property: usual(language), error_function: None, rules: Rules::Language }),
        Some(list) if list.contains(',') && !Path::new(list).exists() => several(list, language),
        Some(name) => one(name, language),
    }
}

/// What is asked of a program where the user names no property.
fn usual(language: Language) -> Property {
    use Property as P;
    match language {
        Language::Source(frontend::Language::C) => {
            let memory = [P::ValidDeref, P::ArrayBounds, P::ValidFree, P::NoLeak];
            let plain = [P::Assert, P::NoUndefinedArithmetic, P::NoUndefinedExpression, P::NoUninitialisedRead];
            P::Several(plain.into_iter().chain(memory).collect())
        }
        Language::Source(frontend::Language::Java) => P::Several(vec![P::Assert, P::NoException]),
        Language::Source(frontend::Language::GuardedCommands) | Language::ProgramText => P::Assert,
    }
}

/// Several properties, for one exploration.
fn several(list: &str, language: Language) -> Result<Asked, InputError> {
    let mut parts: Vec<Property> = Vec::new();
    let mut error_function = None;
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let asked = one(name, language)?;
        if asked.rules == Rules::Competition {
            let message = format!("the property file {name} has rules of its own");
            return Err(InputError::message(message).hint("give it alone"));
        }
        error_function = error_function.or(asked.error_function);
        if !parts.contains(&asked.property) {
            parts.push(asked.property);
        }
    }
    let alone = |part: &&Property| part.is_of_states() || **part == Property::ValidMemcleanup;
    match (parts.len(), parts.iter().find(alone)) {
        (0, _) => Err(InputError::message(format!("`{list}` names no property"))),
        (1, _) => Ok(Asked { property: parts.remove(0), error_function, rules: Rules::Language }),
        (_, Some(part)) => {
            let message = format!("the property {} cannot be explored together with others", part.name());
            Err(InputError::message(message).hint("give it alone"))
        }
        _ => Ok(Asked { property: Property::Several(parts), error_function, rules: Rules::Language }),
    }
}

fn one(text: &str, language: Language) -> Result<Asked, InputError> {
    let by_name = by_name(text);
    let rules = if by_name.is_none() { Rules::Competition } else { Rules::Language };
    let property = match by_name {
        Some(property) => property,
        None => from_file(text)?,
    };
    let names_function = matches!(property, Property::UnreachCall(_)) && rules == Rules::Language;
    let error_function = names_function.then_some(OLD_ERROR_FUNCTION);
    if !applies(&property, language) {
        let names: Vec<&str> = all().iter().filter(|it| applies(it, language)).map(Property::name).collect();
        let message = format!("the property {} says nothing about {}", property.name(), language_name(language));
        let hint = match names.as_slice() {
            [only] => format!("its `safe` lines are the property `{only}`, which is the default"),
            names => format!("these do: {}", names.join(", ")),
        };
        return Err(InputError::message(message).hint(hint));
    }
    Ok(Asked { property, error_function, rules })
}

/// Whether the property can be asked of programs of the language.
fn applies(property: &Property, language: Language) -> bool {
    use Property as P;
    match language {
        Language::Source(frontend::Language::GuardedCommands) => *property == P::Assert,
        Language::Source(frontend::Language::C) => *property != P::NoException,
        Language::Source(frontend::Language::Java) => {
            matches!(property, P::Assert | P::NoException | P::NoDeadlock | P::NoDataRace)
        }
        Language::ProgramText => true,
    }
}

fn language_name(language: Language) -> &'static str {
    match language {
        Language::Source(frontend::Language::GuardedCommands) => "a guarded-command program",
        Language::Source(frontend::Language::C) => "a C program",
        Language::Source(frontend::Language::Java) => "a Java program",
        Language::ProgramText => "this program",
    }
}

fn by_name(name: &str) -> Option<Property> {
    all().into_iter().find(|property| property.name() == name)
}

/// Every property; of calls, that of the usual function.
fn all() -> Vec<Property> {
    vec![
        Property::Assert,
        Property::UnreachCall(ERROR_FUNCTION.to_owned()),
        Property::NoOverflow,
        Property::ValidMemsafety,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::NoDataRace,
        Property::NoDeadlock,
        Property::NoException,
        Property::NoUndefinedArithmetic,
        Property::NoLeak,
        Property::ArrayBounds,
        Property::NoUninitialisedRead,
        Property::NoUndefinedExpression,
    ]
}

fn from_file(text: &str) -> Result<Property, InputError> {
    let path = Path::new(text);
    if !text.ends_with(".prp") && !path.exists() {
        let names: Vec<String> =
            Property::NAMES.iter().map(|(name, meaning)| format!("  {name:<23} {meaning}")).collect();
        let hint = format!("use an SV-COMP .prp file, or one of\n{}", names.join("\n"));
        return Err(InputError::message(format!("no property is called `{text}`")).hint(hint));
    }
    parse(&input::read(path)?).map_err(|problem| InputError::message(format!("{text}: {problem}")))
}

/// The property that an SV-COMP property file states.
///
/// The file is a list of `CHECK( init(ENTRY), LTL(FORMULA) )`. Formulas of one property may stand in several of
/// them, as the three of memory safety do.
fn parse(text: &str) -> Result<Property, String> {
    let mut tokens = Tokens::new(text);
    let mut found: Vec<Property> = Vec::new();
    while !tokens.at_end() {
        found.push(tokens.check()?);
    }
    match found.as_slice() {
        [] => Err("there is no CHECK( … ) in this file".to_owned()),
        [property] => Ok(property.clone()),
        parts if MEMSAFETY.iter().all(|part| parts.contains(part)) && parts.len() == 3 => Ok(Property::ValidMemsafety),
        _ => Err("several properties in one file are not supported; give one at a time".to_owned()),
    }
}

/// The words and signs of a property file.
struct Tokens<'t> {
    rest: Vec<&'t str>,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str) -> Tokens<'t> {
        let is_word = |c: char| c.is_alphanumeric() || "_-.$".contains(c);
        let mut rest = Vec::new();
        for line in text.lines() {
            let mut line = line.trim();
            while let Some(first) = line.chars().next() {
                let end = match line.find(|c| !is_word(c)) {
                    Some(0) => first.len_utf8(),
                    Some(end) => end,
                    None => line.len(),
                };
                rest.push(&line[..end]);
                line = line[end..].trim_start();
            }
        }
        rest.reverse();
        Tokens { rest }
    }

    fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn next(&mut self) -> &'t str {
        self.rest.pop().unwrap_or("the end of the file")
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        match self.next() {
            found if found == wanted => Ok(()),
            found => Err(format!("expected `{wanted}`, found `{found}`")),
        }
    }

    fn expect_all(&mut self, wanted: &[&str]) -> Result<(), String> {
        wanted.iter().try_for_each(|wanted| self.expect(wanted))
    }

    fn check(&mut self) -> Result<Property, String> {
        match self.next() {
            "CHECK" => {}
            "COVER" => return Err("COVER( … ) asks for test inputs, which `verify` does not make".to_owned()),
            found => return Err(format!("expected `CHECK`, found `{found}`")),
        }
        self.expect_all(&["(", "init", "("])?;
        match self.next() {
            "main" | "Main.main" => {}
            entry => return Err(format!("the entry point `{entry}` is not supported; it must be `main`")),
        }
        self.expect_all(&["(", ")", ")", ",", "LTL", "("])?;
        let goal = self.formula()?;
        self.expect_all(&[")", ")"])?;
        Ok(goal)
    }

    fn formula(&mut self) -> Result<Property, String> {
        match self.next() {
            "G" => {}
            "F" => return Err("termination (`F …`) is not supported".to_owned()),
            found => return Err(format!("the formula `{found} …` is not supported")),
        }
        Ok(match self.next() {
            "!" => match self.next() {
                "call" => {
                    self.expect("(")?;
                    let function = self.next().to_owned();
                    self.expect_all(&["(", ")", ")"])?;
                    Property::UnreachCall(function)
                }
                "overflow" => Property::NoOverflow,
                "data-race" => Property::NoDataRace,
                "deadlock" => Property::NoDeadlock,
                found => return Err(format!("the formula `G ! {found}` is not supported")),
            },
            "valid-free" => Property::ValidFree,
            "valid-deref" => Property::ValidDeref,
            "valid-memtrack" => Property::ValidMemtrack,
            "valid-memcleanup" => Property::ValidMemcleanup,
            "assert" => Property::Assert,
            found => return Err(format!("the formula `G {found}` is not supported")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(text: &str) -> Result<Property, String> {
        parse(&format!("CHECK( init(main()), LTL({text}) )\n"))
    }

    #[test]
    fn the_property_files_of_sv_comp() {
        assert_eq!(formula("G ! call(reach_error())"), Ok(Property::UnreachCall("reach_error".into())));
        assert_eq!(formula("G ! call(__VERIFIER_error())"), Ok(Property::UnreachCall("__VERIFIER_error".into())));
        assert_eq!(formula("G ! overflow"), Ok(Property::NoOverflow));
        assert_eq!(formula("G ! data-race"), Ok(Property::NoDataRace));
        assert_eq!(formula("G valid-memcleanup"), Ok(Property::ValidMemcleanup));
        assert_eq!(parse("CHECK( init(Main.main()), LTL(G assert) )"), Ok(Property::Assert));
        let memsafety = "CHECK( init(main()), LTL(G valid-free) )\n\
                         CHECK( init(main()), LTL(G valid-deref) )\n\
                         CHECK( init(main()), LTL(G valid-memtrack) )\n\n";
        assert_eq!(parse(memsafety), Ok(Property::ValidMemsafety));
        assert_eq!(formula("G valid-free"), Ok(Property::ValidFree));
        assert_eq!(formula("G valid-deref"), Ok(Property::ValidDeref));
        assert_eq!(formula("G valid-memtrack"), Ok(Property::ValidMemtrack));
    }

    #[test]
    fn what_is_not_supported_is_refused() {
        assert!(formula("F end").unwrap_err().contains("termination"));
        assert!(formula("G ! label(ERROR)").unwrap_err().contains("label"));
        assert!(parse("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )").unwrap_err().contains("COVER"));
        assert!(parse("").unwrap_err().contains("no CHECK"));
        assert!(parse("CHECK( init(other()), LTL(G ! overflow) )").unwrap_err().contains("other"));
        assert!(parse("CHECK( init(main()), LTL(G ! overflow)").unwrap_err().contains("the end of the file"));
        let two = "CHECK( init(main()), LTL(G ! overflow) ) CHECK( init(main()), LTL(G ! data-race) )";
        assert!(parse(two).unwrap_err().contains("one at a time"));
    }

    #[test]
    fn every_short_name_names_its_property() {
        for (name, _) in Property::NAMES {
            assert_eq!(by_name(name).map(|property| property.name()), Some(name));
        }
    }

    #[test]
    fn guarded_commands_have_one_property() {
        let property = |text, language| resolve(text, language).ok().map(|asked| asked.property);
        let guarded_commands = Language::Source(frontend::Language::GuardedCommands);
        assert_eq!(property(None, guarded_commands), Some(Property::Assert));
        assert_eq!(property(Some("assert"), guarded_commands), Some(Property::Assert));
        assert!(resolve(Some("no-overflow"), guarded_commands).is_err());
        assert!(resolve(Some("unreach-call"), guarded_commands).is_err());
        assert_eq!(property(Some("no-overflow"), Language::ProgramText), Some(Property::NoOverflow));
        assert!(resolve(Some("never"), Language::ProgramText).is_err());
    }
}
