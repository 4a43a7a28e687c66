//! Colours for a terminal, or none.

use anstyle::{AnsiColor, Style};
use std::fmt::Display;

/// How each kind of text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Palette {
    strong: Style,
    faint: Style,
    good: Style,
    bad: Style,
    doubtful: Style,
    name: Style,
}

impl Palette {
    /// No colours.
    pub fn plain() -> Palette {
        Palette::default()
    }

    /// Colours that a terminal shows.
    pub fn coloured() -> Palette {
        Palette {
            strong: Style::new().bold(),
            faint: Style::new().dimmed(),
            good: AnsiColor::Green.on_default().bold(),
            bad: AnsiColor::Red.on_default().bold(),
            doubtful: AnsiColor::Yellow.on_default().bold(),
            name: AnsiColor::Cyan.on_default(),
        }
    }

    /// What matters.
    pub fn strong(&self, text: impl Display) -> String {
        paint(self.strong, text)
    }

    /// What is there to look up.
    pub(super) fn faint(&self, text: impl Display) -> String {
        paint(self.faint, text)
    }

    /// Good news.
    pub fn good(&self, text: impl Display) -> String {
        paint(self.good, text)
    }

    /// Bad news.
    pub fn bad(&self, text: impl Display) -> String {
        paint(self.bad, text)
    }

    /// No news.
    pub(super) fn doubtful(&self, text: impl Display) -> String {
        paint(self.doubtful, text)
    }

    /// The name of a step.
    pub fn name(&self, text: impl Display) -> String {
        paint(self.name, text)
    }
}

fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
