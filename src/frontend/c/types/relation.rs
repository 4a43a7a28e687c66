//! Compatible and composite types, and types as text.

use super::{Length, Ty, TypeKind, Types};
use crate::frontend::c::ast::Qualifiers;
use crate::frontend::c::names::{Names, Symbol};

impl Types {
    /// Whether two types are compatible, qualifiers of the outermost level aside.
    pub fn compatible(&self, a: Ty, b: Ty) -> bool {
        let (a, b) = (a.unqualified(), b.unqualified());
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Enum(id), TypeKind::Int(kind)) | (TypeKind::Int(kind), TypeKind::Enum(id)) => {
                self.enums[*id].underlying == Some(*kind)
            }
            (TypeKind::Pointer(p), TypeKind::Pointer(q)) => p.qualifiers() == q.qualifiers() && self.compatible(*p, *q),
            (TypeKind::Array(p, m), TypeKind::Array(q, n)) => {
                let fixed = |length: &Length| matches!(length, Length::Fixed(_));
                self.qualifiers(*p) == self.qualifiers(*q)
                    && self.compatible(*p, *q)
                    && (m == n || !fixed(m) || !fixed(n))
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => {
                self.compatible(f.result, g.result)
                    && (!f.is_prototype
                        || !g.is_prototype
                        || f.is_variadic == g.is_variadic
                            && f.parameters.len() == g.parameters.len()
                            && f.parameters.iter().zip(&g.parameters).all(|(p, q)| self.compatible(*p, *q)))
            }
            _ => false,
        }
    }

    /// The type that knows what either of two compatible types knows: lengths and prototypes.
    pub fn composite(&mut self, a: Ty, b: Ty) -> Ty {
        if a == b {
            return a;
        }
        let made = match (self.kind(a).clone(), self.kind(b).clone()) {
            (TypeKind::Pointer(p), TypeKind::Pointer(q)) => TypeKind::Pointer(self.composite(p, q)),
            (TypeKind::Array(p, m), TypeKind::Array(q, n)) => {
                TypeKind::Array(self.composite(p, q), if m == Length::Unknown { n } else { m })
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => {
                let result = self.composite(f.result, g.result);
                let (mut known, other) = if f.is_prototype { (f, g) } else { (g, f) };
                known.result = result;
                if other.is_prototype && other.parameters.len() == known.parameters.len() {
                    let pairs = known.parameters.iter().zip(&other.parameters);
                    known.parameters = pairs.map(|(p, q)| self.composite(*p, *q)).collect();
                }
                TypeKind::Function(known)
            }
            _ => return a,
        };
        self.intern(made).with(a.qualifiers())
    }

    /// The type as C writes it.
    pub fn display(&self, ty: Ty, names: &Names) -> String {
        self.declare(ty, String::new(), names)
    }

    /// A declaration of that text with the type.
    fn declare(&self, ty: Ty, inner: String, names: &Names) -> String {
        let space = if inner.is_empty() { "" } else { " " };
        let named = |keyword: &str, tag: Option<Symbol>| match tag {
            Some(tag) => format!("{keyword} {}", names.text(tag)),
            None => format!("{keyword} {{…}}"),
        };
        let base = match self.kind(ty) {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Bool => "_Bool".to_owned(),
            TypeKind::Int(kind) => kind.text().to_owned(),
            TypeKind::Float(kind) => kind.text().to_owned(),
            TypeKind::VaList => "__builtin_va_list".to_owned(),
            TypeKind::Enum(id) => named("enum", self.enums[*id].tag),
            TypeKind::Record(id) => {
                let record = &self.records[*id];
                named(if record.is_union { "union" } else { "struct" }, record.tag)
            }
            TypeKind::Pointer(target) => {
                let words = qualifier_words(ty.qualifiers());
                let gap = if words.is_empty() || inner.is_empty() { "" } else { " " };
                let inner = format!("*{}{gap}{inner}", words.trim_end());
                let direct = !matches!(self.kind(*target), TypeKind::Array(..) | TypeKind::Function(_));
                return self.declare(*target, if direct { inner } else { format!("({inner})") }, names);
            }
            TypeKind::Array(element, length) => {
                let length = match length {
                    Length::Fixed(n) => n.to_string(),
                    Length::Unknown => String::new(),
                    Length::Variable(_) => "*".to_owned(),
                };
                return self.declare(*element, format!("{inner}[{length}]"), names);
            }
            TypeKind::Function(function) => {
                let mut parameters: Vec<String> = function.parameters.iter().map(|p| self.display(*p, names)).collect();
                if function.is_variadic {
                    parameters.push("...".to_owned());
                } else if parameters.is_empty() && function.is_prototype {
                    parameters.push("void".to_owned());
                }
                return self.declare(function.result, format!("{inner}({})", parameters.join(", ")), names);
            }
        };
        format!("{}{base}{space}{inner}", qualifier_words(ty.qualifiers()))
    }
}

fn qualifier_words(qualifiers: Qualifiers) -> String {
    let words = [
        (Qualifiers::CONST, "const "),
        (Qualifiers::VOLATILE, "volatile "),
        (Qualifiers::RESTRICT, "restrict "),
        (Qualifiers::ATOMIC, "_Atomic "),
    ];
    words.iter().filter(|(q, _)| qualifiers.has(*q)).map(|(_, word)| *word).collect()
}
