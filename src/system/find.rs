//! Where programs are found: never in the folder where the user happens to stand, nor in one above it.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Where set-up puts programs, below the project's folder.
const PROJECT_FOLDERS: [&str; 3] = [".tools/bin", ".tools/python/bin", ".tools/yices/bin"];

/// Where an installation puts programs, from the folder of the executable on.
const INSTALLED: &str = "../libexec/tandem";

/// The places of a program that is known by its name alone, the best first: beside this executable, where an installation
/// puts it, in the project that it was built in, in the user's own folder, on PATH.
pub fn programs(name: &str) -> Vec<PathBuf> {
    let executable = std::env::current_exe().ok().and_then(|program| in_real_folder(&program));
    let beside = executable.as_deref().and_then(Path::parent).map(Path::to_owned);
    let project = executable.as_deref().into_iter().flat_map(project_folders);
    let installed = beside.as_ref().map(|folder| folder.join(INSTALLED));
    let folders = beside.into_iter().chain(installed).chain(project).chain(user_folder());
    let mut found: Vec<PathBuf> = folders.map(|folder| folder.join(name)).filter(|file| is_program(file)).collect();
    found.extend(on_path(OsStr::new(name)));
    found
}

/// The executable in its folder's real place. The file itself may be another one by now, or gone: the kernel then adds a word.
fn in_real_folder(executable: &Path) -> Option<PathBuf> {
    if let Ok(real) = executable.canonicalize() {
        return Some(real);
    }
    let name = executable.file_name()?.to_str()?;
    let folder = executable.parent()?.canonicalize().ok()?;
    Some(folder.join(name.strip_suffix(" (deleted)").unwrap_or(name)))
}

/// A program by its name alone, as the shell finds it, but only in folders of PATH that are absolute: the others, and empty
/// ones, mean the current folder. `None` also where the name is a path.
pub fn on_path(name: &OsStr) -> Option<PathBuf> {
    on(&std::env::var_os("PATH").unwrap_or_else(|| USUAL_PATH.into()), name)
}

/// Where programs usually are, where nobody says it.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

fn on(path: &OsStr, name: &OsStr) -> Option<PathBuf> {
    if !is_name(name) {
        return None;
    }
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|file| is_program(file))
}

/// The program that the user named: by its name alone, on PATH; by a path, there.
pub fn named(program: &OsStr) -> Option<PathBuf> {
    if is_name(program) { on_path(program) } else { Some(program.into()) }
}

fn is_name(program: &OsStr) -> bool {
    !program.is_empty() && !program.as_encoded_bytes().contains(&b'/') && program != "." && program != ".."
}

/// The folders of the project's own tools, for an executable that was built inside the project, or in the folder that was
/// named for what is built.
fn project_folders(executable: &Path) -> Vec<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built_in = [Some(env!("CARGO_MANIFEST_DIR")), option_env!("CARGO_TARGET_DIR")];
    let is_inside = |folder: &str| {
        let folder = Path::new(folder);
        folder.is_absolute() && folder.canonicalize().is_ok_and(|folder| executable.starts_with(folder))
    };
    if !built_in.into_iter().flatten().any(is_inside) {
        return Vec::new();
    }
    PROJECT_FOLDERS.iter().map(|folder| project.join(folder)).collect()
}

/// The user's own folder for programs that Tandem uses.
fn user_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join("tandem/bin"))
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(folder: &Path, name: &str, mode: u32) -> PathBuf {
        let file = folder.join(name);
        std::fs::write(&file, "#!/bin/sh\n").expect("the folder can be written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("the file is ours");
        file
    }

    #[test]
    fn only_absolute_folders_of_the_path_count() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let there = program(folder.path(), "solve", 0o755);
        let data = program(folder.path(), "data", 0o644);
        let path = folder.path().as_os_str();
        assert_eq!(on(path, OsStr::new("solve")), Some(there));
        assert_eq!(on(path, data.file_name().expect("it has one")), None, "it cannot be executed");
        assert_eq!(on(path, OsStr::new("./solve")), None, "it is a path");
        // The current folder of the tests is the project's.
        std::fs::create_dir_all("target").expect("the folder can be made");
        program(Path::new("target"), "tandem-find-test", 0o755);
        for relative in ["target", "./target", "", ":"] {
            assert_eq!(on(OsStr::new(relative), OsStr::new("tandem-find-test")), None, "{relative:?}");
        }
        std::fs::remove_file("target/tandem-find-test").expect("it is there");
    }

    #[test]
    fn an_executable_that_was_replaced_keeps_its_folder() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let real = folder.path().canonicalize().expect("it is there").join("tandem");
        assert_eq!(in_real_folder(&folder.path().join("tandem (deleted)")), Some(real));
        assert_eq!(in_real_folder(Path::new("/no/such/folder/tandem")), None);
    }

    #[test]
    fn the_tools_of_the_project_are_for_what_was_built_in_it() {
        assert_eq!(project_folders(Path::new("/usr/bin/tandem")), Vec::<PathBuf>::new());
        let inside = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().expect("it is there").join("target/tandem");
        assert_eq!(project_folders(&inside).len(), PROJECT_FOLDERS.len());
    }

    #[test]
    fn a_path_is_taken_as_it_is() {
        assert_eq!(named(OsStr::new("./z")), Some(PathBuf::from("./z")));
        assert_eq!(named(OsStr::new("tandem-no-such-program")), None);
        assert_eq!(named(OsStr::new("")), Some(PathBuf::new()));
    }
}
