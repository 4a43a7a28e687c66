//! The command line of Tandem.

fn main() {}
