//! Predicates as text that can be read again.

use super::{Comparison, Context, Operator, Path, Predicate, PredicateFile, Value};
use std::fmt;

impl fmt::Display for PredicateFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, section) in self.sections.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{}", section.context)?;
            for written in &section.predicates {
                writeln!(f, "{}", written.predicate)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Context::Static => f.write_str("[static]"),
            Context::Object(class) => write!(f, "[object {class}]"),
            Context::Method(method) => write!(f, "[method {method}]"),
            Context::AssumePre(method) => write!(f, "[assume pre method {method}]"),
            Context::AssumePost(method) => write!(f, "[assume post method {method}]"),
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Predicate::Bool(value) => write!(f, "{value}"),
            Predicate::Not(inner) => write!(f, "not({inner})"),
            Predicate::Compare(comparison, left, right) => write!(f, "{left} {comparison} {right}"),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Eq => "=",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Null => f.write_str("null"),
            Value::At(path) => write!(f, "{path}"),
            Value::Length(path) => write!(f, "alength(arrlen, {path})"),
            Value::Binary(operator, left, right) => {
                operand(f, left)?;
                let sign = match operator {
                    Operator::Add => "+",
                    Operator::Sub => "-",
                    Operator::Mul => "*",
                    Operator::Div => "/",
                };
                write!(f, " {sign} ")?;
                operand(f, right)
            }
        }
    }
}

/// An operand, in parentheses where it is no single word.
fn operand(f: &mut fmt::Formatter<'_>, value: &Value) -> fmt::Result {
    match value {
        Value::Binary(..) => write!(f, "({value})"),
        _ => write!(f, "{value}"),
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Variable(name) => f.write_str(name),
            Path::Result => f.write_str("return"),
            Path::Static(class, field) => write!(f, "class({class}).{field}"),
            Path::Field(object, field) => write!(f, "{object}.{field}"),
            Path::Element(array, index) => write!(f, "{array}[{index}]"),
        }
    }
}
