//! Where classes are found: what the user gave, Tandem's own models of the library, and the JDK.

use super::class::{Class, ClassError, MAX_BYTES, Origin};
use super::library;
use super::types::element_type;
use crate::system::find;
use ristretto_jimage::Image;
use rustc_hash::FxHashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Classes by name.
pub struct Classpath {
    user: FxHashMap<Rc<str>, Rc<[u8]>>,
    jdk: Option<Image>,
}

impl Classpath {
    /// The user's classes, by their names, and those of a JDK.
    pub fn new(
        user: impl IntoIterator<Item = (Rc<str>, Rc<[u8]>)>,
        jdk: Option<&Path>,
    ) -> Result<Classpath, ClassError> {
        let jdk = match jdk {
            None => None,
            Some(home) => {
                let modules = home.join("lib").join("modules");
                let image = Image::from_file(&modules);
                Some(image.map_err(|error| ClassError(format!("{}: {error}", modules.display())))?)
            }
        };
        Ok(Classpath { user: user.into_iter().collect(), jdk })
    }

    /// Reads a class; `None` where there is none of that name.
    pub fn read(&self, name: &str) -> Result<Option<Class>, ClassError> {
        if name.starts_with('[') {
            let element = element_type(name).ok_or_else(|| ClassError(format!("`{name}` is no class name")))?;
            return Ok(Some(Class::array(element)));
        }
        if let Some(bytes) = library::class_file(name) {
            return Class::read(bytes, Origin::Model).map(Some);
        }
        let class = match self.user.get(name) {
            Some(bytes) => {
                Some(Class::read(bytes, Origin::User).map_err(|e| ClassError(format!("class {name}: {e}")))?)
            }
            None => self.read_jdk(name)?,
        };
        match class {
            Some(class) if &*class.name != name => {
                Err(ClassError(format!("the file of class {name} holds class {}", class.name)))
            }
            class => Ok(class),
        }
    }

    fn read_jdk(&self, name: &str) -> Result<Option<Class>, ClassError> {
        let Some(image) = &self.jdk else { return Ok(None) };
        // Nothing but the base module is reached from what is modelled.
        let Ok(resource) = image.get_resource(&format!("/java.base/{name}.class")) else { return Ok(None) };
        let data = resource.data();
        if data.len() > MAX_BYTES {
            return Err(ClassError(format!("class {name} of the JDK is too large")));
        }
        Class::read(data, Origin::Jdk)
            .map(Some)
            .map_err(|error| ClassError(format!("class {name} of the JDK: {error}")))
    }
}

/// The folder of the JDK: `JAVA_HOME`, or where the `javac` or `java` on the path is.
pub fn jdk_home() -> Option<PathBuf> {
    let is_jdk = |home: &PathBuf| home.is_absolute() && home.join("lib").join("modules").is_file();
    if let Some(home) = std::env::var_os("JAVA_HOME").map(PathBuf::from).filter(is_jdk) {
        return Some(home);
    }
    let found = ["javac", "java"].into_iter().filter_map(|name| find::on_path(OsStr::new(name)));
    let home = |program: PathBuf| Some(program.canonicalize().ok()?.parent()?.parent()?.to_owned());
    found.filter_map(home).find(is_jdk)
}
