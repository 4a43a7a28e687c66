//! What an installation has besides the program: manual pages, completions, solvers.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use support::{finish, run, tandem};

#[test]
fn manual_pages_and_completions_are_made_of_the_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    let ran = finish(tandem().arg("manual").arg(&pages).output().unwrap());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let page = std::fs::read_to_string(pages.join("tandem-verify.1")).unwrap();
    assert!(page.contains("compile\\-commands") && !page.contains("part\\-facts"), "{page}");
    assert!(pages.join("tandem.1").exists() && !pages.join("tandem-confine.1").exists());
    for shell in ["bash", "zsh", "fish"] {
        let ran = run(&["completions", shell]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.stdout.contains("memory-limit"), "{ran:?}");
    }
}

#[test]
fn an_installed_program_finds_the_solver_that_was_installed_with_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (program, solver) = (folder.path().join("bin/tandem"), folder.path().join("libexec/tandem/z3"));
    for file in [&program, &solver] {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    }
    std::fs::copy(env!("CARGO_BIN_EXE_tandem"), &program).unwrap();
    std::fs::write(&solver, "#!/bin/sh\nwhile read -r question; do echo nothing known; done\n").unwrap();
    std::fs::set_permissions(&solver, std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.path().join("loop.gcl");
    std::fs::write(&file, "program p\nvar x\ninit x >= 0\nt: x < 9 -> x := x + 1\nsafe x >= 0\n").unwrap();
    let mut command = std::process::Command::new(&program);
    command.env_clear().env("PATH", "/nowhere").env("HOME", folder.path());
    let ran = finish(command.args(["verify", "--engine", "cegar"]).arg(&file).output().unwrap());
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stdout.contains("unexpected output of the solver: nothing"), "{ran:?}");
    std::fs::remove_file(&solver).unwrap();
    let mut command = std::process::Command::new(&program);
    command.env_clear().env("PATH", "/nowhere").env("HOME", folder.path());
    let ran = finish(command.args(["verify", "--engine", "cegar"]).arg(&file).output().unwrap());
    assert!(ran.stdout.contains("`pip install z3-solver`"), "{ran:?}");
}
