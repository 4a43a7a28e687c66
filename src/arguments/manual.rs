//! The manual pages and the completions for shells, made of the arguments.

use super::Arguments;
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::Path;

/// Writes a manual page for the program and for each of its commands into a folder.
///
/// # Errors
/// Where a file cannot be written.
pub fn write_pages(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(Arguments::command(), folder)
}

/// The completions for a shell.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "tandem", &mut text);
    text
}
