//! The text form of programs: it prints every valid program and reads it back exactly.
//!
//! Files in this form end in `.tandem`; they can be written by hand and verified as any other language.
//!
//! ```text
//! file       = { item }
//! item       = "program" string                        what it is called; "" if left out
//!            | "pointer_bytes" digits                  8 if left out
//!            | "header_bytes" digits                   0 if left out
//!            | "main_ends_all"                         the return of main ends every thread
//!            | "competition"                           the rules of SV-COMP hold for what the language leaves open
//!            | "class" string digits "{" { string digits type } "}" [ "elements" digits type ]
//!            | "assumption" string [ span ]             what the meaning takes for granted
//!            | "remark" string [ span ]                 what the user should know
//!            | "main" name                             the procedure `main` if left out
//!            | "global" variable
//!            | "init" block
//!            | "procedure" name "(" [ name { "," name } ] ")" [ "->" name ] [ span ]
//!              "{" { "local" variable | location | edge } "}"
//!            | "source" string "{" { string } "}"      the name of a file, and its text in pieces
//! variable   = name ":" type [ "control" | "own" ] [ "#" digits ] [ span ]
//! location   = "location" name [ "=" string ] [ "entry" ] [ "exit" ] [ "error" string string ] [ span ]
//! edge       = "edge" name "->" name [ string ] [ span ] [ block ]
//! block      = "{" { statement ";" } "}"
//! statement  = "skip" | "assume" expr | "havoc" var [ span ]
//!            | var { "," var } ":=" expr { "," expr }
//!            | [ var ":=" ] ( "call" | "spawn" ) name "(" [ expr { "," expr } ] ")"
//!            | "[" expr "]" ":=" expr                  a store
//!            | var ":=" "allocate" "(" region "," expr [ "," "zeroed" ] ")"
//!            | "copy" expr "," expr "," expr           to, from, how many bytes
//!            | "fill" expr "," expr "," expr           where, which byte, how many
//!            | "output" [ piece { "," piece } ]
//!            | "free" expr | "join" expr | "lock" [ "reentrant" ] expr | "unlock" expr
//!            | "wait" expr "," expr | "notify" [ "all" ] expr | "atomic" ( "begin" | "end" )
//! region     = "static" | "literal" | "constant" | "stack" | "constant_stack" | "heap"
//! piece      = string | expr ":" string                a text, or a value and its style, as in x: "%5d"
//! expr       = operators below; "true" | "false" | "null" | number | var | "(" expr ")"
//!            | type "(" expr ")"                       a cast
//!            | type "[" expr "]"                       a load
//!            | "function" "(" name ")"              a pointer to a procedure
//!            | function "(" [ expr { "," expr } ] ")"
//! function   = "ite" | "and" | "or" | "offset" | "object_size" | "is_live" | "is_constant" | "pointer_add" | "same_object"
//!            | "is_nan" | "is_infinite" | "sign_bit" | "holds_lock" | "is_locked" | "has_lost" | "is_freeable"
//! var        = [ "::" ] name                           with "::" always the global
//! number     = [ "-" ] digits [ machine type ]         as in -5 or 255u8
//!            | ( "f32" | "f64" ) string             as in f64"-1.5e300", f32"inf", f64"nan(0x7ff8000000000000)"
//! type       = "bool" | "int" | "ptr" | "f32" | "f64" | ( "i" | "u" ) digits
//! span       = "@" digits ":" digits "-" digits        the number of the source, and bytes from and to
//! name       = a letter or "_", then letters, digits, "_", "$", "."; or any text in backticks
//! ```
//!
//! Operators, loosest first: `==>` (to the right); `||`; `&&`; `== != < <= > >=` (which do not chain); `|`; `^`;
//! `&`; `<< >>`; `+ -`; `* / %`; prefix `! - ~`. `a && b && c` is one conjunction of three; a conjunction of
//! fewer than two is written `and(…)`. A minus right before a number is part of it.
//!
//! Comments go from `//` to the end of the line. Strings and names in backticks know `\n \t \r \\ \" \` \u{hex}`.
//! Globals are declared before they are used, and so are locals and locations. The `error` of a location has its
//! kind, as `assertion` or `call:reach_error`, and its message. Variables are numbered in the order of their
//! declarations unless every one has its `#` number. A location called `L` and digits has no name in the source
//! but what follows its `=`; any other has its own.

mod expr;
mod lex;
mod parse;
mod print;
mod procedure;
mod statement;

pub use lex::MAX_DIGITS;
pub use parse::{lower, parse};
pub use print::{Printer, print};

#[cfg(test)]
mod tests;
