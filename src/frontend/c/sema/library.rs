//! The types of functions of the C library that the compiler knows without a declaration.

use super::{Entity, Sema};
use crate::frontend::c::ast::Qualifiers;
use crate::frontend::c::tree::FunctionId;
use crate::frontend::c::types::{FunctionType, IntKind, Ty, TypeKind};
use crate::program::Span;

/// Names with their results and parameters, a letter each: v `void`, i `int`, l `long`, L `long long`, z `size_t`,
/// d `double`, f `float`, e `long double`, p `void *`, P `const void *`, s `char *`, S `const char *`,
/// a `va_list`; `.` when more may follow.
const FUNCTIONS: [(&str, &str); 91] = [
    ("abort", "v"),
    ("abs", "ii"),
    ("alloca", "pz"),
    ("atoi", "iS"),
    ("bcmp", "iPPz"),
    ("bzero", "vpz"),
    ("calloc", "pzz"),
    ("ceil", "dd"),
    ("ceilf", "ff"),
    ("copysign", "ddd"),
    ("copysignf", "fff"),
    ("cos", "dd"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("_Exit", "vi"),
    ("exp", "dd"),
    ("fabs", "dd"),
    ("fabsf", "ff"),
    ("fabsl", "ee"),
    ("floor", "dd"),
    ("floorf", "ff"),
    ("fmax", "ddd"),
    ("fmaxf", "fff"),
    ("fmin", "ddd"),
    ("fminf", "fff"),
    ("fmod", "ddd"),
    ("fmodf", "fff"),
    ("free", "vp"),
    ("index", "sSi"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isgraph", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("log", "dd"),
    ("malloc", "pz"),
    ("memchr", "pPiz"),
    ("memcmp", "iPPz"),
    ("memcpy", "ppPz"),
    ("memmove", "ppPz"),
    ("mempcpy", "ppPz"),
    ("memset", "ppiz"),
    ("pow", "ddd"),
    ("printf", "iS."),
    ("putchar", "ii"),
    ("puts", "iS"),
    ("realloc", "ppz"),
    ("rindex", "sSi"),
    ("rint", "dd"),
    ("rintf", "ff"),
    ("round", "dd"),
    ("roundf", "ff"),
    ("scanf", "iS."),
    ("sin", "dd"),
    ("snprintf", "iszS."),
    ("sprintf", "isS."),
    ("sqrt", "dd"),
    ("sqrtf", "ff"),
    ("sscanf", "iSS."),
    ("stpcpy", "ssS"),
    ("strcat", "ssS"),
    ("strchr", "sSi"),
    ("strcmp", "iSS"),
    ("strcpy", "ssS"),
    ("strcspn", "zSS"),
    ("strdup", "sS"),
    ("strlen", "zS"),
    ("strncat", "ssSz"),
    ("strncmp", "iSSz"),
    ("strncpy", "ssSz"),
    ("strndup", "sSz"),
    ("strpbrk", "sSS"),
    ("strrchr", "sSi"),
    ("strspn", "zSS"),
    ("strstr", "sSS"),
    ("tan", "dd"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("trunc", "dd"),
    ("truncf", "ff"),
    ("vprintf", "iSa"),
    ("vsnprintf", "iszSa"),
];

impl Sema<'_> {
    /// The library function of that name, perhaps with `__builtin_` before it; it is declared if it was not.
    pub(super) fn library_function(&mut self, name: &str, span: Span) -> Option<FunctionId> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let symbol = self.unit.names.intern(plain);
        if let Some(Entity::Function(id)) = self.linked.get(&symbol) {
            return (plain != name).then_some(*id);
        }
        let (_, signature) = FUNCTIONS.iter().find(|(known, _)| *known == plain)?;
        let is_variadic = signature.ends_with('.');
        let mut types = signature.trim_end_matches('.').chars().map(|letter| self.letter_type(letter));
        let result = types.next()?;
        let parameters = types.collect();
        let ty = FunctionType { result, parameters, is_variadic, is_prototype: true };
        let ty = self.unit.types.intern(TypeKind::Function(Box::new(ty)));
        let id = self.new_function(plain, ty, span);
        self.unit.functions[id].is_implicit = true;
        self.unit.functions[id].is_noreturn = matches!(plain, "abort" | "exit" | "_exit" | "_Exit");
        self.link(symbol, Entity::Function(id));
        Some(id)
    }

    fn letter_type(&mut self, letter: char) -> Ty {
        let types = &mut self.unit.types;
        let mut constant = |ty: Ty| {
            let ty = types.qualified(ty, Qualifiers::CONST);
            types.pointer_to(ty)
        };
        match letter {
            'v' => Ty::VOID,
            'i' => Ty::INT,
            'l' => Ty::int(IntKind::Long),
            'L' => Ty::int(IntKind::LongLong),
            'z' => self.unit.types.size_type(),
            'd' => Ty::DOUBLE,
            'f' => Ty::FLOAT,
            'e' => Ty::LONG_DOUBLE,
            'p' => self.unit.types.pointer_to(Ty::VOID),
            'P' => constant(Ty::VOID),
            's' => self.unit.types.pointer_to(Ty::CHAR),
            'S' => constant(Ty::CHAR),
            _ => Ty::VA_LIST,
        }
    }
}
