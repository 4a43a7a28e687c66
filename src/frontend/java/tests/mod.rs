//! Tests of the Java front end.
