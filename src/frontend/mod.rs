//! Front ends: one folder per language, each from source files to a [`Program`].

pub mod c;
pub mod gcl;
pub mod java;

use crate::program::{FrontendErrors, Program, Property, SourceFiles};
use std::path::Path;

/// A source language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Guarded commands over mathematical integers: `.gcl`.
    GuardedCommands,
    /// C11 with GNU extensions: `.c`, and `.i` where it is preprocessed.
    C,
    /// Java: `.java`, `.class`, `.jar`, and folders of them.
    Java,
}

/// What a front end needs to know besides the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The sizes of C's types.
    pub data_model: c::types::DataModel,
    /// What to look for in C.
    pub c: c::lower::Options,
    /// What to look for in Java.
    pub java: java::Options,
}

impl Settings {
    /// What to look for to decide a property; C's types are as 64-bit compilers have them.
    pub fn for_property(property: &Property) -> Settings {
        Settings {
            data_model: c::types::DataModel::Lp64,
            c: c::lower::Options::for_property(property),
            java: java::Options::for_property(property),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings::for_property(&Property::Assert)
    }
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 3] = [Language::GuardedCommands, Language::C, Language::Java];

    /// The language of a file, by the ending of its name.
    pub fn of_path(path: &Path) -> Option<Language> {
        let ending = path.extension()?.to_str()?;
        let is_ending =
            |language: &Language| language.extensions().iter().any(|known| known.eq_ignore_ascii_case(ending));
        Language::ALL.into_iter().find(is_ending)
    }

    /// How the names of its files end, without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Language::GuardedCommands => &["gcl"],
            Language::C => &["c", "i"],
            Language::Java => &java::input::ENDINGS,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Language::GuardedCommands => "guarded commands",
            Language::C => "C",
            Language::Java => "Java",
        }
    }

    /// Reads a program of this language from the text of its files.
    pub fn lower(self, files: &SourceFiles, settings: &Settings) -> Result<Program, FrontendErrors> {
        match self {
            Language::GuardedCommands => gcl::lower(files),
            Language::C => c::lower::lower_files(files, settings.data_model, &settings.c),
            Language::Java => java::lower_sources(files, &settings.java),
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
