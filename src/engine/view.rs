//! What an engine explored, for people to look at: boxes with lines of text, and arrows between them.

/// A graph to draw. The first box is on top.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagram {
    /// What it shows.
    pub title: Vec<String>,
    /// The boxes.
    pub boxes: Vec<DiagramBox>,
    /// The arrows.
    pub arrows: Vec<Arrow>,
}

/// A box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramBox {
    /// What stands out in it.
    pub title: String,
    /// What else is in it.
    pub lines: Vec<String>,
    /// How it looks.
    pub look: Look,
}

/// How a box looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Like most.
    Plain,
    /// Something starts or ends here.
    End,
    /// Something is wrong here.
    Error,
    /// Something else stands for it.
    Faint,
}

/// An arrow from one box to another, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// Where it starts.
    pub from: usize,
    /// Where it points.
    pub to: usize,
    /// What is written on it; nothing, where it is empty.
    pub label: String,
    /// How it is drawn.
    pub style: ArrowStyle,
}

/// How an arrow is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrowStyle {
    /// In one line.
    Solid,
    /// In dashes.
    Dashed,
    /// In dots.
    Dotted,
}
