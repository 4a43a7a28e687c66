//! The class files of the models of the Java library are what their sources compile to.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::{argument, root};
use tandem::frontend::java::class::{Class, Origin};
use tandem::frontend::java::classpath::{Classpath, jdk_home};
use tandem::frontend::java::library;

fn class_files(folder: &Path, prefix: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            class_files(&path, &format!("{name}/"), found);
        } else {
            found.insert(name.trim_end_matches(".class").to_owned(), fs::read(&path).unwrap());
        }
    }
}

#[test]
fn the_class_files_are_those_of_the_sources() {
    let version = Command::new("javac").arg("-version").output().expect("a JDK is installed");
    if !String::from_utf8_lossy(&version.stdout).starts_with("javac 17.") {
        eprintln!("another version of javac gives other bytes");
        return;
    }
    let script = root().join("src/frontend/java/library/compile.sh");
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new("sh").args([argument(&script), argument(folder.path())]).status().unwrap();
    assert!(status.success());
    let mut made = BTreeMap::new();
    for part in ["base", "extra"] {
        class_files(&folder.path().join(part), "", &mut made);
    }
    assert!(made.len() > 15, "{} classes", made.len());
    for (name, bytes) in &made {
        let known = library::class_file(name).unwrap_or_else(|| panic!("{name} is not in the list of models"));
        assert!(known == bytes.as_slice(), "{name} is not what compile.sh makes of its source");
        assert_eq!(&*Class::read(known, Origin::Model).unwrap().name, name.as_str());
    }
}

#[test]
fn the_classes_of_the_jdk_are_read() {
    let classpath = Classpath::new([], jdk_home().as_deref()).unwrap();
    let mut methods = 0;
    for name in
        ["java/util/HashMap", "java/lang/Integer", "java/util/Collections", "java/lang/Math", "java/util/TreeMap"]
    {
        let class = classpath.read(name).unwrap().unwrap_or_else(|| panic!("{name} is not there"));
        assert_eq!((&*class.name, class.origin), (name, Origin::Jdk));
        methods += class.methods.iter().filter(|method| method.code.is_some()).count();
    }
    assert!(methods > 300, "{methods}");
    assert!(classpath.read("no/such/Class").unwrap().is_none());
    assert!(classpath.read("[[I").unwrap().unwrap().element.is_some());
    assert!(classpath.read("[[").is_err());
}
