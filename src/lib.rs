//! Tandem tells whether a program can go wrong: safe with a proof that was checked, unsafe with an
//! execution that was replayed, or unknown with what it did manage.

pub mod solver;
pub mod term;
