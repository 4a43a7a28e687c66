//! Where the paths of predicates lead in a program: variables, and what lies in memory behind them.

use super::Path;
use super::names::{Guard, plain_name};
use super::values::{Read, Reading};
use crate::program::{BinaryOp, Expr, OFFSET, ObjectClass, ProcId, Program, Scope, ShapeId, ShapeKind, Type, VarId};

/// One way to read a path: where that is possible, and what is there.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) guards: Vec<Guard>,
    pub(super) content: Content,
    /// What it is in the source, where that is known.
    pub(super) shape: Option<ShapeId>,
}

#[derive(Clone)]
pub(super) enum Content {
    /// A value.
    Value(Expr),
    /// What lies at an address.
    Memory(Expr),
}

/// How names are looked up: in a procedure, or among what is visible everywhere.
pub(super) struct Names<'p> {
    pub(super) program: &'p Program,
    pub(super) procedure: Option<ProcId>,
}

pub(super) type Message = String;

impl Names<'_> {
    pub(super) fn has_classes(&self) -> bool {
        self.program.checks_accesses()
    }

    pub(super) fn path(&self, path: &Path) -> Result<Vec<Place>, Message> {
        match path {
            Path::Variable(name) => self.variable(name),
            Path::Result => self.result(),
            Path::Static(class, field) => {
                let name = format!("{class}.{field}");
                let variable = self.global(&name).ok_or_else(|| {
                    format!("`class({class}).{field}` names nothing: the program uses no such static field")
                })?;
                Ok(vec![self.of_variable(variable)])
            }
            Path::Field(object, field) if self.has_classes() => {
                let objects = self.references(object)?;
                self.field_of_class(objects, object, field)
            }
            Path::Field(object, field) => {
                let objects = self.path(object)?;
                let found: Vec<Place> =
                    objects.into_iter().filter_map(|place| self.field_of_record(place, field)).collect();
                if found.is_empty() { Err(format!("`{object}` has no field `{field}`")) } else { Ok(found) }
            }
            Path::Element(array, index) if self.has_classes() => {
                let (arrays, indices) = (self.references(array)?, self.value(index)?);
                self.element_of_class(&arrays, &indices, array)
            }
            Path::Element(array, index) => {
                let (arrays, indices) = (self.path(array)?, self.value(index)?);
                let pairs = arrays.iter().flat_map(|array| indices.iter().map(move |index| (array, index)));
                let found: Vec<Place> = pairs.filter_map(|(array, index)| self.element(array, index)).collect();
                if found.is_empty() { Err(format!("`{array}` is not an array or a pointer")) } else { Ok(found) }
            }
        }
    }

    pub(super) fn global(&self, name: &str) -> Option<VarId> {
        self.program.globals().find(|global| self.program.variables[*global].name == name)
    }

    /// The variables of a name: several of the source can be one in the program, and one of the source several.
    pub(super) fn variable(&self, name: &str) -> Result<Vec<Place>, Message> {
        let name_of = |variable: VarId| self.program.variables[variable].name.as_str();
        let is_meant = |variable: &VarId| {
            let found = name_of(*variable);
            found.strip_prefix('&').unwrap_or(found) == name || found.split('/').any(|part| part == name)
        };
        if let Some(procedure) = self.procedure {
            let locals: Vec<VarId> = self.program.locals(procedure).filter(is_meant).collect();
            if !locals.is_empty() {
                return Ok(locals.into_iter().map(|local| self.of_variable(local)).collect());
            }
            // A static variable of a function has the name of that before its own.
            let inner = format!("{}.{name}", plain_name(&self.program.procedures[procedure].name));
            if let Some(variable) = self.global(&inner).or_else(|| self.global(&format!("&{inner}"))) {
                return Ok(vec![self.of_variable(variable)]);
            }
        }
        let globals: Vec<VarId> = self.program.globals().filter(is_meant).collect();
        if globals.is_empty() {
            let place = match self.procedure {
                Some(procedure) => format!("in `{}`", plain_name(&self.program.procedures[procedure].name)),
                None => "among what is visible everywhere".to_owned(),
            };
            return Err(format!("`{name}` names nothing: there is no such variable {place}"));
        }
        Ok(globals.into_iter().map(|global| self.of_variable(global)).collect())
    }

    pub(super) fn result(&self) -> Result<Vec<Place>, Message> {
        let result = self.procedure.and_then(|procedure| self.program.procedures[procedure].result);
        match result {
            Some(result) => Ok(vec![self.of_variable(result)]),
            None => Err("`return` names nothing: there is no result here".to_owned()),
        }
    }

    pub(super) fn of_variable(&self, variable: VarId) -> Place {
        let data = &self.program.variables[variable];
        let owner = match data.scope {
            Scope::Global => None,
            Scope::Local(procedure) => Some(procedure),
        };
        let shape = self.program.shapes.of_variable(owner, &data.name);
        let content = match data.name.starts_with('&') {
            true => Content::Memory(Expr::Var(variable)),
            false => Content::Value(Expr::Var(variable)),
        };
        Place { guards: Vec::new(), content, shape }
    }

    /// The references at a path.
    pub(super) fn references(&self, path: &Path) -> Result<Vec<(Vec<Guard>, Expr)>, Message> {
        let places = self.path(path)?.into_iter();
        let found: Vec<(Vec<Guard>, Expr)> = places
            .filter_map(|place| match place.content {
                Content::Value(expr) if expr.type_in(self.program) == Type::Pointer => Some((place.guards, expr)),
                _ => None,
            })
            .collect();
        if found.is_empty() { Err(format!("`{path}` is not a reference")) } else { Ok(found) }
    }

    /// A field of Java objects: each of the places where classes have one of that name.
    pub(super) fn field_of_class(
        &self,
        objects: Vec<(Vec<Guard>, Expr)>,
        path: &Path,
        field: &str,
    ) -> Result<Vec<Place>, Message> {
        let mut ways: Vec<(u32, Type, Vec<i32>)> = Vec::new();
        for class in self.classes_of(path) {
            for found in class.fields.iter().filter(|found| found.name == field) {
                add_way(&mut ways, (found.offset, found.ty), class.number);
            }
        }
        if ways.is_empty() {
            return Err(format!("`{path}.{field}` names nothing: no class of the program has a field `{field}`"));
        }
        let mut places = Vec::new();
        for (guards, object) in objects {
            for (offset, ty, numbers) in &ways {
                let guards = guards.iter().cloned().chain(is_of(&object, numbers)).collect();
                let value = Expr::Load(*ty, Box::new(moved(&object, i64::from(*offset))));
                places.push(Place { guards, content: Content::Value(value), shape: None });
            }
        }
        Ok(places)
    }

    /// The classes that the object at a path can be of: `this` is of the class of the method, or a class below it.
    pub(super) fn classes_of<'a>(&'a self, path: &Path) -> impl Iterator<Item = &'a ObjectClass> {
        let is_this = matches!(path, Path::Variable(name) if name == "this");
        let procedure = self.procedure.filter(|_| is_this).map(|procedure| &self.program.procedures[procedure]);
        let owner =
            procedure.and_then(|procedure| plain_name(&procedure.name).rsplit_once('.').map(|(owner, _)| owner));
        let own = owner.and_then(|owner| self.program.classes.iter().find(|class| class.name == owner));
        let has_all = move |class: &&ObjectClass| {
            own.is_none_or(|own| own.fields.iter().all(|field| class.fields.contains(field)))
        };
        self.program.classes.iter().filter(has_all)
    }

    /// An element of a Java array: each of the kinds of arrays that there are.
    pub(super) fn element_of_class(
        &self,
        arrays: &[(Vec<Guard>, Expr)],
        indices: &[Reading],
        path: &Path,
    ) -> Result<Vec<Place>, Message> {
        let mut ways: Vec<(u32, Type, Vec<i32>)> = Vec::new();
        for class in &self.program.classes {
            if let Some(elements) = class.elements {
                add_way(&mut ways, elements, class.number);
            }
        }
        let mut places = Vec::new();
        for (guards, array) in arrays {
            for index in indices {
                let Some(at) = index.value.as_type(Type::machine(32, true)) else { continue };
                for (start, ty, numbers) in &ways {
                    let inside = [
                        Expr::binary(BinaryOp::Ge, at.clone(), Expr::Int(0.into(), Type::machine(32, true))),
                        Expr::binary(BinaryOp::Lt, at.clone(), self.length_of(array)),
                    ];
                    let all = guards.iter().chain(&index.guards).cloned();
                    let guards = all.chain(is_of(array, numbers)).chain(inside.map(Guard::Bounds)).collect();
                    let wide = Expr::Cast(OFFSET, Box::new(at.clone()));
                    let bytes = Expr::Int(self.bytes(*ty).into(), OFFSET);
                    let offset = Expr::binary(BinaryOp::Mul, wide, bytes);
                    let offset = Expr::binary(BinaryOp::Add, offset, Expr::Int(i64::from(*start).into(), OFFSET));
                    let address = Expr::binary(BinaryOp::PointerAdd, array.clone(), offset);
                    let value = Expr::Load(*ty, Box::new(address));
                    places.push(Place { guards, content: Content::Value(value), shape: None });
                }
            }
        }
        if places.is_empty() { Err(format!("`{path}` is not an array, or its index not a number")) } else { Ok(places) }
    }

    /// The length of a Java array is in its header.
    pub(super) fn length_of(&self, array: &Expr) -> Expr {
        Expr::Load(Type::machine(32, true), Box::new(moved(array, LENGTH_OFFSET)))
    }

    pub(super) fn length(&self, path: &Path) -> Result<Vec<Reading>, Message> {
        if !self.has_classes() {
            let places = self.path(path)?;
            let lengths = places.iter().filter_map(|place| self.declared_length(place.shape?));
            let found: Vec<Reading> =
                lengths.map(|length| Reading { guards: Vec::new(), value: Read::Number(length.into()) }).collect();
            return if found.is_empty() { Err(format!("`{path}` is not an array of known length")) } else { Ok(found) };
        }
        let arrays: Vec<i32> =
            self.program.classes.iter().filter(|class| class.elements.is_some()).map(|class| class.number).collect();
        let all = self.references(path)?.into_iter().map(|(guards, array)| {
            let guards = guards.into_iter().chain(is_of(&array, &arrays)).collect();
            Reading { guards, value: Read::Expr(self.length_of(&array), Type::machine(32, true)) }
        });
        Ok(all.collect())
    }

    pub(super) fn declared_length(&self, shape: ShapeId) -> Option<i64> {
        let shape = self.program.shapes.get(shape)?;
        let ShapeKind::Array(element) = shape.kind else { return None };
        let bytes = self.program.shapes.get(element)?.bytes;
        i64::try_from(shape.bytes.checked_div(bytes)?).ok()
    }

    /// A field of a C structure, or of one that is pointed to.
    pub(super) fn field_of_record(&self, place: Place, field: &str) -> Option<Place> {
        let shapes = &self.program.shapes;
        let shape = place.shape?;
        let (address, record) = match (place.content, &shapes.get(shape)?.kind) {
            (Content::Memory(address), ShapeKind::Record { .. }) => (address, shape),
            (Content::Memory(address), ShapeKind::Pointer(to)) => (Expr::Load(Type::Pointer, Box::new(address)), *to),
            (Content::Value(value), ShapeKind::Pointer(to)) => (value, *to),
            _ => return None,
        };
        let ShapeKind::Record { fields, .. } = &shapes.get(record)?.kind else { return None };
        let (_, offset, shape) = fields.iter().find(|(name, ..)| name == field)?;
        let address = moved(&address, i64::try_from(*offset).ok()?);
        Some(Place { guards: place.guards, content: Content::Memory(address), shape: Some(*shape) })
    }

    /// An element of a C array, or of what is pointed to.
    pub(super) fn element(&self, array: &Place, index: &Reading) -> Option<Place> {
        let shapes = &self.program.shapes;
        let shape = array.shape?;
        let (address, element) = match (&array.content, &shapes.get(shape)?.kind) {
            (Content::Memory(address), ShapeKind::Array(element)) => (address.clone(), *element),
            (Content::Memory(address), ShapeKind::Pointer(element)) => {
                (Expr::Load(Type::Pointer, Box::new(address.clone())), *element)
            }
            (Content::Value(value), ShapeKind::Pointer(element)) => (value.clone(), *element),
            _ => return None,
        };
        let bytes = i64::try_from(shapes.get(element)?.bytes).ok()?;
        let at = index.value.as_type(OFFSET)?;
        let offset = Expr::binary(BinaryOp::Mul, at, Expr::Int(bytes.into(), OFFSET));
        let address = Expr::binary(BinaryOp::PointerAdd, address, offset);
        let guards = array.guards.iter().chain(&index.guards).cloned().collect();
        Some(Place { guards, content: Content::Memory(address), shape: Some(element) })
    }

    pub(super) fn bytes(&self, ty: Type) -> i64 {
        match ty {
            Type::Machine(machine) => i64::from(machine.bytes()),
            Type::Float(kind) => i64::from(kind.width() / 8),
            Type::Bool => 1,
            Type::Pointer | Type::Int => i64::from(self.program.pointer_bytes),
        }
    }
}

/// Where the length of a Java array lies in it.
const LENGTH_OFFSET: i64 = 4;

fn add_way(ways: &mut Vec<(u32, Type, Vec<i32>)>, (offset, ty): (u32, Type), number: i32) {
    match ways.iter_mut().find(|(at, found, _)| *at == offset && *found == ty) {
        Some((_, _, numbers)) => numbers.push(number),
        None => ways.push((offset, ty, vec![number])),
    }
}

/// Whether a reference is to an object of one of these classes.
fn is_of(object: &Expr, numbers: &[i32]) -> [Guard; 2] {
    let class = Type::machine(32, true);
    let is_one = |number: &i32| {
        let found = Expr::Load(class, Box::new(object.clone()));
        Expr::binary(BinaryOp::Eq, found, Expr::Int(i64::from(*number).into(), class))
    };
    let not_null = Expr::binary(BinaryOp::Ne, object.clone(), Expr::Null);
    [Guard::Object(not_null), Guard::Object(Expr::Or(numbers.iter().map(is_one).collect()))]
}

/// A pointer moved by a number of bytes.
fn moved(pointer: &Expr, bytes: i64) -> Expr {
    match bytes {
        0 => pointer.clone(),
        _ => Expr::binary(BinaryOp::PointerAdd, pointer.clone(), Expr::Int(bytes.into(), OFFSET)),
    }
}
