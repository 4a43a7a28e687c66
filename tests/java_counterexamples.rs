//! Inputs with which the engine `panda` says that Java programs fail: the Java virtual machine throws `AssertionError`.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{argument, finish, root, run};

/// The class from which PANDA's programs read: here, the inputs of the command line, one after the other.
const VERIFIER: &str = "\
package gov.nasa.jpf.abstraction;

public class Verifier {
    private static final String[] INPUTS = System.getProperty(\"inputs\").split(\",\");
    private static int read = 0;

    public static int unknownInt() { return Integer.parseInt(INPUTS[read++]); }
    public static char unknownChar() { return (char) unknownInt(); }
    public static boolean unknownBool() {
        String input = INPUTS[read++];
        return input.equals(\"true\") || input.equals(\"1\");
    }
    public static int unknownNonNegativeInt() { return atLeast(0); }
    public static int unknownPositiveInt() { return atLeast(1); }

    private static int atLeast(int least) {
        int input = unknownInt();
        if (input < least) throw new IllegalStateException(\"an input that cannot be\");
        return input;
    }
}
";

/// The programs of the corpus for the engine that fail.
fn failing_programs() -> Vec<PathBuf> {
    let files = fs::read_dir(root().join("tests/corpus/java/panda")).unwrap();
    let mut found: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    found.retain(|file| fs::read_to_string(file).unwrap().starts_with("// expect: unsafe"));
    found.sort();
    found
}

/// The inputs of the counterexample, separated by commas.
fn inputs(program: &Path) -> String {
    let ran = run(&["verify", "--engine", "panda", "--property", "assert", "--json", argument(program)]);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["verdict"], "unsafe", "{}", program.display());
    let inputs = result["inputs"].as_array().unwrap().iter();
    inputs.map(|input| input["value"].to_string().replace('"', "")).collect::<Vec<_>>().join(",")
}

#[test]
fn the_virtual_machine_fails_with_the_inputs_that_were_found() {
    let programs = failing_programs();
    assert!(programs.len() >= 7, "{programs:?}");
    let folder = tempfile::tempdir().unwrap();
    let verifier = folder.path().join("Verifier.java");
    fs::write(&verifier, VERIFIER).unwrap();
    let compiled = Command::new("javac").arg("-d").arg(folder.path()).arg(&verifier).args(&programs).output();
    let compiled = finish(compiled.expect("a JDK is installed"));
    assert_eq!(compiled.status, Some(0), "{}", compiled.stderr);
    for program in programs {
        let inputs = inputs(&program);
        let name = program.file_stem().unwrap().to_str().unwrap();
        let mut java = Command::new("java");
        java.args(["-ea", &format!("-Dinputs={inputs}"), "-cp", argument(folder.path()), name]);
        let ran = finish(java.output().unwrap());
        assert!(ran.stderr.contains("java.lang.AssertionError"), "{name} with {inputs}: {ran:?}");
    }
}
