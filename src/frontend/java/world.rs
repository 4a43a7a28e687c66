//! The classes of a program: which there are, what extends what, which method a call means, where fields lie.

use super::class::{Class, ClassError, Method, Origin};
use super::classpath::Classpath;
use super::code::Member;
use super::dynamic;
use super::library;
use super::types::{JavaType, element_type, source_name};
use crate::program::{Id, IdVec};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A class that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(u32);

impl Id for ClassId {
    fn new(index: usize) -> Self {
        ClassId(u32::try_from(index).expect("fewer than 2^32 classes"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A method of a class that was read: its place among the class's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodId {
    /// The class.
    pub class: ClassId,
    /// The number of the method.
    pub index: u32,
}

/// A field of a class that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPlace {
    /// The class that declares it.
    pub class: ClassId,
    /// Its type.
    pub ty: JavaType,
    /// Where it lies in objects; static ones lie nowhere.
    pub offset: Option<i64>,
    /// Whether threads may use it without a lock.
    pub is_volatile: bool,
}

/// Where the class number lies in an object.
pub const CLASS_OFFSET: i64 = 0;
/// Where the identity hash code lies in an object that is no array; 0 where none was asked for yet.
pub const HASH_OFFSET: i64 = 4;
/// Where the length lies in an array.
pub const LENGTH_OFFSET: i64 = 4;
/// Where the elements of an array, or the fields of an object, start.
pub const BODY_OFFSET: i64 = 8;

/// How long a chain of supertypes may be.
const MAX_SUPERTYPES: usize = 2_000;

/// Why a class or a member cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// There is no such class.
    #[error("there is no class {0}")]
    NoClass(String),
    /// The class has no such member.
    #[error("there is no {0}")]
    NoMember(String),
    /// A class file is broken.
    #[error("{0}")]
    Broken(String),
    /// The class is of a part of the library that is not modelled.
    #[error("{0} is not modelled")]
    NotModelled(String),
}

impl From<ClassError> for LinkError {
    fn from(error: ClassError) -> LinkError {
        LinkError::Broken(error.0)
    }
}

/// A class with its supertypes found.
#[derive(Debug)]
pub struct Loaded {
    /// The class itself.
    pub class: Class,
    /// What it extends.
    pub parent: Option<ClassId>,
    /// The interfaces it names.
    pub interfaces: Vec<ClassId>,
    /// All its supertypes and itself, but for other array classes.
    supertypes: FxHashSet<ClassId>,
    /// Its own fields in objects, by name and descriptor, with their offsets.
    offsets: FxHashMap<(Rc<str>, String), i64>,
    /// How many bytes an object takes.
    pub size: i64,
    /// How many supertypes are above it.
    depth: usize,
}

/// All classes that were asked for.
pub struct World {
    classpath: Classpath,
    /// The classes.
    pub classes: IdVec<ClassId, Loaded>,
    by_name: FxHashMap<Rc<str>, Result<ClassId, LinkError>>,
    loading: Vec<Rc<str>>,
    /// Classes that were made for `invokedynamic` and not asked for yet.
    made: FxHashMap<Rc<str>, Class>,
}

impl World {
    /// No classes yet.
    pub fn new(classpath: Classpath) -> World {
        World {
            classpath,
            classes: IdVec::new(),
            by_name: FxHashMap::default(),
            loading: Vec::new(),
            made: FxHashMap::default(),
        }
    }

    /// The class of that name, which is read if it was not.
    pub fn load(&mut self, name: &str) -> Result<ClassId, LinkError> {
        if let Some(known) = self.by_name.get(name) {
            return known.clone();
        }
        let name: Rc<str> = name.into();
        if self.loading.contains(&name) || self.loading.len() > MAX_SUPERTYPES {
            return Err(LinkError::Broken(format!("class {} is among its own supertypes", source_name(&name))));
        }
        self.loading.push(Rc::clone(&name));
        let result = self.read(&name);
        self.loading.pop();
        self.by_name.insert(name, result.clone());
        result
    }

    fn read(&mut self, name: &str) -> Result<ClassId, LinkError> {
        if library::class_file(name).is_none() && !name.starts_with('[') && !library::is_modelled(name) {
            return Err(LinkError::NotModelled(format!("class {}", source_name(name))));
        }
        let class = match self.made.remove(name) {
            Some(made) => made,
            None => {
                let mut class = self.classpath.read(name)?.ok_or_else(|| LinkError::NoClass(source_name(name)))?;
                for made in dynamic::expand(&mut class) {
                    self.made.insert(Rc::clone(&made.name), made);
                }
                class
            }
        };
        if let Some(JavaType::Reference(element)) = &class.element {
            self.load(&Rc::clone(element))?;
        }
        let parent = match &class.parent {
            Some(parent) => Some(self.load(&Rc::clone(parent))?),
            None if name == "java/lang/Object" => None,
            None => return Err(LinkError::Broken(format!("class {} extends nothing", source_name(name)))),
        };
        let mut interfaces = Vec::new();
        for interface in class.interfaces.clone() {
            match self.load(&interface) {
                Ok(id) => interfaces.push(id),
                // An interface without a model has no object that is only seen through it.
                Err(LinkError::NotModelled(_)) if class.origin != Origin::User => {}
                Err(error) => return Err(error),
            }
        }
        self.check_supertypes(&class, parent, &interfaces)?;
        let (offsets, size) = self.layout(&class, parent);
        let mut supertypes = FxHashSet::default();
        let mut depth = 0;
        for above in parent.iter().chain(&interfaces) {
            supertypes.extend(self.classes[*above].supertypes.iter().copied());
            depth = depth.max(self.classes[*above].depth + 1);
        }
        supertypes.insert(self.classes.next_id());
        Ok(self.classes.push(Loaded { class, parent, interfaces, supertypes, offsets, size, depth }))
    }

    fn check_supertypes(
        &self,
        class: &Class,
        parent: Option<ClassId>,
        interfaces: &[ClassId],
    ) -> Result<(), LinkError> {
        let wrong = parent.is_some_and(|id| self.classes[id].class.is_interface)
            || interfaces.iter().any(|id| !self.classes[*id].class.is_interface);
        if wrong {
            let name = source_name(&class.name);
            return Err(LinkError::Broken(format!("class {name} extends an interface, or implements a class")));
        }
        Ok(())
    }

    fn layout(&self, class: &Class, parent: Option<ClassId>) -> (FxHashMap<(Rc<str>, String), i64>, i64) {
        let mut end = parent.map_or(BODY_OFFSET, |id| self.classes[id].size);
        let mut offsets = FxHashMap::default();
        for field in class.fields.iter().filter(|field| !field.is_static) {
            let bytes = field.ty.bytes();
            end = (end + bytes - 1) / bytes * bytes;
            offsets.insert((Rc::clone(&field.name), field.ty.descriptor()), end);
            end += bytes;
        }
        (offsets, end)
    }

    /// A class that was read.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id].class
    }

    /// A method of a class that was read.
    pub fn method(&self, id: MethodId) -> &Method {
        &self.classes[id.class].class.methods[id.index as usize]
    }

    /// Class, name and parameters as the source has them.
    pub fn method_name(&self, id: MethodId) -> String {
        let method = self.method(id);
        let class = source_name(&self.class(id.class).name);
        format!("{class}.{}{}", method.name, method.signature)
    }

    /// Whether values of the first class can be where the second is asked for.
    pub fn is_subtype(&self, lower: ClassId, upper: ClassId) -> bool {
        if self.classes[lower].supertypes.contains(&upper) {
            return true;
        }
        let elements = (&self.class(lower).element, &self.class(upper).element);
        let (Some(JavaType::Reference(a)), Some(JavaType::Reference(b))) = elements else { return false };
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.is_subtype(a, b),
            _ => false,
        }
    }

    /// The class of that name, if it was read.
    pub fn known(&self, name: &str) -> Option<ClassId> {
        self.by_name.get(name)?.as_ref().ok().copied()
    }

    /// The class and its parents, from the class up.
    pub fn chain(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        std::iter::successors(Some(class), |id| self.classes[*id].parent)
    }

    /// All interfaces of a class, its parents' included, the nearest first.
    fn all_interfaces(&self, class: ClassId) -> Vec<ClassId> {
        let mut found = Vec::new();
        let mut waiting: Vec<ClassId> = Vec::new();
        for id in self.chain(class) {
            waiting.extend(self.classes[id].interfaces.iter().rev());
            while let Some(interface) = waiting.pop() {
                if !found.contains(&interface) {
                    found.push(interface);
                    waiting.extend(self.classes[interface].interfaces.iter().rev());
                }
            }
        }
        found
    }

    fn own_method(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let index = self.classes[class].class.method(name, descriptor)?;
        Some(MethodId { class, index: index as u32 })
    }

    /// The method that an instruction names.
    pub fn resolve_method(&mut self, member: &Member) -> Result<MethodId, LinkError> {
        // Arrays have the methods of objects.
        let class = if member.class.starts_with('[') { "java/lang/Object" } else { &*member.class };
        let id = self.load(class)?;
        let own = self.chain(id).find_map(|id| self.own_method(id, &member.name, &member.descriptor));
        let found = own.or_else(|| self.interface_method(id, &member.name, &member.descriptor));
        found.ok_or_else(|| {
            let signature = super::types::Signature::parse(&member.descriptor);
            let signature = signature.map_or(String::new(), |signature| signature.to_string());
            let name = format!("method {}.{}{signature}", source_name(class), member.name);
            match self.class(id).origin {
                Origin::User => LinkError::NoMember(name),
                _ => LinkError::NotModelled(name),
            }
        })
    }

    /// The method of an interface that a class has: one with code that no other overrides, else any.
    fn interface_method(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let declared = self.all_interfaces(class).into_iter().filter_map(|id| self.own_method(id, name, descriptor));
        let declared: Vec<MethodId> = declared.collect();
        let with_code = declared.iter().filter(|id| {
            let method = self.method(**id);
            !method.is_abstract && !method.is_static && !method.is_private
        });
        let most_specific = with_code
            .clone()
            .find(|id| !with_code.clone().any(|other| other != *id && self.is_subtype(other.class, id.class)));
        most_specific.or(declared.first()).copied()
    }

    /// Whether a method stands in for one of a class above; what only a package sees may be overridden there first.
    fn overrides(&self, id: MethodId, called: MethodId) -> bool {
        let method = self.method(called);
        if !method.is_package_private || self.package(id.class) == self.package(called.class) {
            return true;
        }
        let between = self.chain(id.class).skip(1).take_while(|class| *class != called.class);
        let mut found = between.filter_map(|class| self.own_method(class, &method.name, &method.descriptor));
        found.any(|other| !self.method(other).is_private && self.overrides(id, other) && self.overrides(other, called))
    }

    /// The method that runs when the given one is called on an object of the class.
    pub fn select(&self, class: ClassId, called: MethodId) -> Option<MethodId> {
        let method = self.method(called);
        if method.is_private || &*method.name == "<init>" {
            return Some(called);
        }
        let overrides = |id: &MethodId| {
            let found = self.method(*id);
            !found.is_static && (!found.is_private || *id == called) && self.overrides(*id, called)
        };
        let own = |id: ClassId| self.own_method(id, &method.name, &method.descriptor).filter(overrides);
        let found = self.chain(class).find_map(own);
        found.or_else(|| self.interface_method(class, &method.name, &method.descriptor))
    }

    fn package(&self, class: ClassId) -> &str {
        self.class(class).name.rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// The field that an instruction names.
    pub fn resolve_field(&mut self, member: &Member) -> Result<FieldPlace, LinkError> {
        let id = self.load(library::owner(&member.class, &member.name).unwrap_or(&member.class))?;
        let chain: Vec<ClassId> = self.chain(id).collect();
        for class in chain.into_iter().chain(self.all_interfaces(id)) {
            let loaded = &self.classes[class];
            let is_meant = |f: &&super::class::Field| f.name == member.name && f.ty.descriptor() == *member.descriptor;
            if let Some(field) = loaded.class.fields.iter().find(is_meant) {
                let offset = loaded.offsets.get(&(Rc::clone(&field.name), field.ty.descriptor())).copied();
                return Ok(FieldPlace { class, ty: field.ty.clone(), offset, is_volatile: field.is_volatile });
            }
        }
        let name = format!("field {}.{}", source_name(&member.class), member.name);
        Err(match self.class(id).origin {
            Origin::User => LinkError::NoMember(name),
            _ => LinkError::NotModelled(name),
        })
    }

    /// Where a field of a class lies in its objects.
    pub fn offset_of(&self, class: ClassId, field: &super::class::Field) -> Option<i64> {
        self.classes[class].offsets.get(&(Rc::clone(&field.name), field.ty.descriptor())).copied()
    }

    /// The class of the elements of arrays of the class, where they are references.
    pub fn element_class(&self, array: ClassId) -> Option<ClassId> {
        let element = element_type(&self.class(array).name)?;
        self.known(element.class_name()?)
    }
}

/// The classes that are initialised right before a class: what it extends, and the interfaces that have code, also those
/// that its interfaces extend.
pub fn before(world: &World, class: ClassId) -> Vec<ClassId> {
    let mut found = Vec::new();
    if !world.class(class).is_interface {
        found.extend(world.classes[class].parent);
        interfaces_with_code(world, class, &mut found);
    }
    found
}

fn interfaces_with_code(world: &World, class: ClassId, found: &mut Vec<ClassId>) {
    for interface in &world.classes[class].interfaces {
        interfaces_with_code(world, *interface, found);
        let has_code = world.class(*interface).methods.iter().any(|method| !method.is_abstract && !method.is_static);
        if has_code && !found.contains(interface) {
            found.push(*interface);
        }
    }
}
