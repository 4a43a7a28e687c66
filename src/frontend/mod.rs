//! Front ends: one folder a language, each from source files to a [`Program`].

pub mod c;
pub mod gcl;

use crate::program::{FrontendErrors, Program, SourceFiles};
use std::path::Path;

/// A source language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Guarded commands over mathematical integers: `.gcl`.
    GuardedCommands,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 1] = [Language::GuardedCommands];

    /// The language of a file, by the ending of its name.
    pub fn of_path(path: &Path) -> Option<Language> {
        let ending = path.extension()?.to_str()?;
        Language::ALL.into_iter().find(|language| language.extension().eq_ignore_ascii_case(ending))
    }

    /// How the names of its files end, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Language::GuardedCommands => "gcl",
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Language::GuardedCommands => "guarded commands",
        }
    }

    /// Reads a program of this language.
    pub fn lower(self, files: &SourceFiles) -> Result<Program, FrontendErrors> {
        match self {
            Language::GuardedCommands => gcl::lower(files),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_the_name_tells_the_language() {
        assert_eq!(Language::of_path(Path::new("models/rax-45.gcl")), Some(Language::GuardedCommands));
        assert_eq!(Language::of_path(Path::new("MESI.GCL")), Some(Language::GuardedCommands));
        assert_eq!(Language::of_path(Path::new("gcl")), None);
        assert_eq!(Language::of_path(Path::new("a.gcl.txt")), None);
    }
}
