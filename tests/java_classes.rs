//! Classes of the JDK, read as if they were the user's, with every method called: each is lowered or refused with a reason.
//!
//! TANDEM_CLASSES is how many there are (60), spread over the whole JDK; TANDEM_CLASSES_NAMED takes only those whose names
//! contain a text. By hand: `make classes-java` lowers 2,000. TANDEM_CLASSES_FROM is a folder of other class files, which
//! are all looked at in the same way.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use ristretto_jimage::Image;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tandem::frontend::java::class::{Class, Origin};
use tandem::frontend::java::types::Kind;
use tandem::frontend::java::{Options, classpath, input, library, lower_input};
use tandem::program::validate;

/// How long one class may take, in any build.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Two bytes, as class files have them.
fn u2(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap().to_be_bytes()
}

/// The class file with another name for its class. It extends and implements nothing that is not modelled, because then
/// no more than that would be said of it.
fn renamed(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let number = |at: usize| Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]) as usize);
    let count = number(8)?;
    let (mut at, mut places, mut index) = (10, BTreeMap::new(), 1);
    while index < count {
        places.insert(index, at);
        let tag = *bytes.get(at)?;
        at += match tag {
            1 => 3 + number(at + 1)?,
            3 | 4 | 9..=12 | 17 | 18 => 5,
            5 | 6 => 9,
            15 => 4,
            _ => 3,
        };
        index += if tag == 5 || tag == 6 { 2 } else { 1 };
    }
    let is_modelled = |class: &usize| {
        let text = number(places[class] + 1).map(|text| places[&text]);
        text.and_then(|at| bytes.get(at + 3..at + 3 + number(at + 1)?))
            .is_some_and(|text| library::is_modelled(&String::from_utf8_lossy(text)))
    };
    let (this, above, many) = (number(at + 2)?, number(at + 4)?, number(at + 6)?);
    let interfaces: Vec<usize> = (0..many).filter_map(|i| number(at + 8 + 2 * i)).filter(is_modelled).collect();
    let mut made = bytes[..at].to_vec();
    made[8..10].copy_from_slice(&u2(count + 3));
    made[places[&this] + 1..places[&this] + 3].copy_from_slice(&u2(count));
    for text in [name, "java/lang/Object"] {
        made.push(1);
        made.extend(u2(text.len()));
        made.extend(text.as_bytes());
    }
    made.push(7);
    made.extend(u2(count + 1));
    made.extend(&bytes[at..at + 4]);
    made.extend(u2(if above != 0 && is_modelled(&above) { above } else { count + 2 }));
    made.extend(u2(interfaces.len()));
    made.extend(interfaces.into_iter().flat_map(u2));
    made.extend(&bytes[at + 8 + 2 * many..]);
    Some(made)
}

/// A class file that is being written.
#[derive(Default)]
struct Writer {
    constants: Vec<Vec<u8>>,
}

impl Writer {
    fn constant(&mut self, bytes: Vec<u8>) -> usize {
        let known = self.constants.iter().position(|constant| *constant == bytes);
        known.unwrap_or_else(|| {
            self.constants.push(bytes);
            self.constants.len() - 1
        }) + 1
    }

    fn text(&mut self, text: &str) -> usize {
        self.constant([&[1][..], &u2(text.len()), text.as_bytes()].concat())
    }

    fn class(&mut self, name: &str) -> usize {
        let name = self.text(name);
        self.constant([&[7][..], &u2(name)].concat())
    }

    fn member(&mut self, tag: u8, class: usize, name: &str, descriptor: &str) -> usize {
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let both = self.constant([&[12][..], &u2(name), &u2(descriptor)].concat());
        self.constant([&[tag][..], &u2(class), &u2(both)].concat())
    }
}

/// A class whose main method calls every method of another, on new objects and with the default values.
fn driver(class: &Class) -> Vec<u8> {
    let mut writer = Writer::default();
    let tag = if class.is_interface { 11 } else { 10 };
    let called = writer.class(&class.name);
    let this = writer.class("Driver");
    let object = writer.member(9, this, "object", "Ljava/lang/Object;");
    let mut code = Vec::new();
    for method in class.methods.iter().filter(|method| !method.is_abstract && &*method.name != "<clinit>") {
        if code.len() > 50_000 || writer.constants.len() > 50_000 {
            break;
        }
        let mut call = Vec::new();
        match method.is_static {
            true => {}
            false if class.is_abstract => call.extend([&[178][..], &u2(object)].concat()),
            false => call.extend([&[187][..], &u2(called)].concat()),
        }
        for ty in &method.signature.parameters {
            call.push(match ty.kind() {
                Kind::Int => 3,
                Kind::Long => 9,
                Kind::Float => 11,
                Kind::Double => 14,
                _ => 1,
            });
        }
        call.push(if method.is_static { 184 } else { 183 });
        call.extend(u2(writer.member(tag, called, &method.name, &method.descriptor)));
        call.extend(method.signature.result.as_ref().map(|ty| if ty.kind().is_wide() { 88 } else { 87 }));
        // What a call does is no reason not to look at the next one.
        code.extend([&[42, 198][..], &u2(call.len() + 3)].concat());
        code.extend(call);
    }
    code.push(177);
    let above = writer.class("java/lang/Object");
    let (field, of) = (writer.text("object"), writer.text("Ljava/lang/Object;"));
    let (name, descriptor, attribute) =
        (writer.text("main"), writer.text("([Ljava/lang/String;)V"), writer.text("Code"));
    let mut made = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
    made.extend(u2(writer.constants.len() + 1));
    made.extend(writer.constants.concat());
    for number in [0x21, this, above, 0, 1, 9, field, of, 0, 1, 9, name, descriptor, 1, attribute] {
        made.extend(u2(number));
    }
    made.extend((code.len() as u32 + 12).to_be_bytes());
    made.extend([0, 255, 0, 4]);
    made.extend((code.len() as u32).to_be_bytes());
    made.extend(code);
    made.extend([0; 6]);
    made
}

/// Lowers all methods of a class with what they reach; tells why, if that is refused.
fn lower(name: &str, bytes: &[u8]) -> Result<usize, String> {
    let name = format!("user/{name}");
    let bytes = renamed(bytes, &name).ok_or("it cannot be renamed")?;
    let class = Class::read(&bytes, Origin::User).map_err(|error| error.to_string())?;
    assert_eq!(*class.name, *name);
    lower_methods(&class, vec![bytes])
}

/// Lowers all methods of a class, which is one of those in the files.
fn lower_methods(class: &Class, mut files: Vec<Vec<u8>>) -> Result<usize, String> {
    files.push(driver(class));
    let input = input::of_class_files(files).map_err(|errors| errors.to_string())?;
    let options = Options { main: Some("Driver".to_owned()), ..Options::default() };
    let program = lower_input(&input, &options).map_err(|errors| errors.to_string())?;
    validate(&program).map_err(|problems| format!("not valid: {}", problems[0])).unwrap();
    Ok(program.procedures.iter().count())
}

#[test]
fn classes_of_the_jdk_are_lowered_or_refused() {
    let wanted: usize = env::var("TANDEM_CLASSES").map_or(60, |text| text.parse().unwrap());
    let named = env::var("TANDEM_CLASSES_NAMED").unwrap_or_default();
    let home = classpath::jdk_home().expect("a JDK is installed");
    let image = Image::from_file(&home.join("lib/modules")).unwrap();
    let mut names: Vec<String> = image
        .iter()
        .filter_map(|resource| Some(resource.ok()?.full_name()))
        .filter(|name| name.ends_with(".class") && !name.ends_with("module-info.class") && name.contains(&named))
        .collect();
    names.sort();
    let step = (names.len() / wanted).max(1);
    let (mut refused, mut failed, mut lowered, mut procedures) = (BTreeMap::new(), Vec::new(), 0, 0);
    let mut longest = (Duration::ZERO, String::new());
    let taken: Vec<&String> = names.iter().step_by(step).take(wanted).collect();
    for full in &taken {
        let name = full.trim_start_matches('/').split_once('/').unwrap().1.trim_end_matches(".class");
        let resource = image.get_resource(full).unwrap();
        let start = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| lower(name, resource.data()))) {
            Ok(Ok(count)) => {
                lowered += 1;
                procedures += count;
            }
            Ok(Err(reason)) => {
                assert!(!reason.is_empty());
                refused.insert(name.to_owned(), reason);
            }
            Err(_) => failed.push(name.to_owned()),
        }
        longest = longest.max((start.elapsed(), name.to_owned()));
    }
    for (name, reason) in &refused {
        eprintln!("refused: {name}: {reason}");
    }
    eprintln!("{lowered} lowered with {procedures} procedures, {} refused, longest {longest:?}", refused.len());
    assert!(failed.is_empty(), "{} of {}: {}", failed.len(), taken.len(), failed.join(", "));
    assert!(longest.0 < MAX_TIME, "{longest:?}");
    assert!(lowered * 10 > taken.len() * 9, "{lowered} of {} were lowered", taken.len());
}

/// The class files below a folder.
fn class_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => class_files(&path, found),
            false if path.extension().is_some_and(|extension| extension == "class") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn classes_of_a_folder_are_lowered_or_refused() {
    let folder = env::var("TANDEM_CLASSES_FROM").unwrap_or("src/frontend/java/library/classes/extra".to_owned());
    let mut paths = Vec::new();
    class_files(Path::new(&folder), &mut paths);
    paths.sort();
    let files: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    let (mut lowered, mut refused) = (0, 0);
    for (path, bytes) in paths.iter().zip(&files) {
        let class = Class::read(bytes, Origin::User).map_err(|error| error.to_string());
        match class.and_then(|class| lower_methods(&class, files.clone())) {
            Ok(_) => lowered += 1,
            Err(reason) => {
                assert!(!reason.is_empty());
                eprintln!("refused: {}: {reason}", path.display());
                refused += 1;
            }
        }
    }
    eprintln!("{lowered} lowered, {refused} refused");
    assert!(lowered > 0, "none of {} classes was lowered", paths.len());
}
