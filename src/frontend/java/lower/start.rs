//! What comes before the main method: the first classes that are initialised, literals, class objects.

use super::object::{at, default_value};
use super::{INT, Lower, Lowered};
use crate::frontend::java::code::{Constant, Instruction, Member};
use crate::frontend::java::library::NATIVE;
use crate::frontend::java::lower::branch::int;
use crate::frontend::java::lower::instruction::long;
use crate::frontend::java::reach::before;
use crate::frontend::java::types::{JavaType, Kind};
use crate::frontend::java::world::{BODY_OFFSET, CLASS_OFFSET, ClassId, LENGTH_OFFSET, MethodId};
use crate::program::{Edge, Expr, FloatKind, Location, OFFSET, Region, Role, Scope, Statement, Type, VarId, Variable};
use crate::term::Integer;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The class of class objects, and the descriptor of its methods that give a text.
const CLASS: &str = "java/lang/Class";
const TEXT: &str = "()Ljava/lang/String;";
/// How many classes may be around a class, or dimensions an array may have.
const MAX_NESTED: usize = 300;

impl Lower<'_> {
    /// Makes the procedure in which the program starts.
    pub(super) fn start(&mut self, main: MethodId) -> Lowered<()> {
        let id = self.new_procedure("start");
        self.program.main = id;
        if self.options.executes {
            self.exit_status = Some(self.global(crate::program::EXIT_STATUS, INT, int(0)));
        }
        let early: Vec<ClassId> =
            self.reached.initialised.iter().copied().filter(|class| self.starts_early(*class)).collect();
        let mut order = early;
        self.initialised_before(main.class, &mut order);
        let mut with_main = Vec::new();
        self.initialised_before(main.class, &mut with_main);
        self.started.extend(with_main);
        self.begin(id);
        self.make_first_thread()?;
        if self.reached.has_threads && order.iter().any(|class| self.initialiser_starts_threads(*class)) {
            self.unmodelled("a thread that the initialiser of the main class starts");
        }
        for class in order {
            if let Some(initialiser) = self.class_initialiser(class) {
                let callee = self.procedure(initialiser);
                self.emit_alone(Statement::Call { target: None, callee, arguments: Vec::new() });
                self.check_exception();
            }
        }
        let method = self.world.method(main);
        let takes_arguments = method.signature.parameters.len();
        let mut arguments = Vec::new();
        if takes_arguments == 1 {
            let array = self.world.load("[Ljava/lang/String;").map_err(|error| self.wrong(error.to_string()))?;
            if self.reads_arguments(main) {
                let variable = self.temporary(Type::Pointer);
                self.allocate_array(variable, array, &int(0))?;
                arguments.push(Expr::Var(variable));
            } else {
                arguments.push(Expr::Null);
            }
        }
        let callee = self.procedure(main);
        self.emit_alone(Statement::Call { target: None, callee, arguments });
        self.check_exception();
        self.end_first_thread()?;
        let exit = self.body.exit.expect("a procedure was begun");
        self.go_to(exit);
        self.uncaught_at = std::mem::take(&mut self.body.open_dispatches).into_iter().map(|(_, at)| at).collect();
        self.finish();
        Ok(())
    }

    /// Where an exception leaves the main method, it is caught by nothing. That is known when all methods are.
    pub(super) fn finish_start(&mut self) {
        let start = self.program.main;
        for location in std::mem::take(&mut self.uncaught_at) {
            if self.program.procedures[start].edges.iter().any(|edge| edge.target == location) {
                let callee = self.uncaught_procedure();
                let block = vec![Statement::Call { target: None, callee, arguments: vec![Expr::Var(self.exception)] }];
                let procedure = &mut self.program.procedures[start];
                let target = procedure.locations.push(Location::default());
                procedure.edges.push(Edge {
                    source: location,
                    target,
                    label: None,
                    block,
                    span: None,
                    places: Vec::new(),
                });
                if let Some(end) = self.main_end {
                    let mut pairs = vec![(self.exception, Expr::Null)];
                    pairs.extend(self.exit_status.map(|status| (status, int(1))));
                    let block = vec![Statement::Assign(pairs)];
                    procedure.edges.push(Edge {
                        source: target,
                        target: end,
                        label: None,
                        block,
                        span: None,
                        places: Vec::new(),
                    });
                }
            }
        }
    }

    /// Whether a class's initialiser may start a thread, which would have to wait for its end.
    fn initialiser_starts_threads(&self, class: ClassId) -> bool {
        let mut seen: FxHashSet<MethodId> = FxHashSet::default();
        let mut waiting: Vec<MethodId> = self.class_initialiser(class).into_iter().collect();
        while let Some(method) = waiting.pop() {
            if &*self.world.class(method.class).name == NATIVE && &*self.world.method(method).name == "start" {
                return true;
            }
            if seen.insert(method) {
                let calls = self.reached.calls.get(&method).into_iter().flatten();
                waiting.extend(calls.flat_map(|(_, called)| called));
            }
        }
        false
    }

    /// Whether the main method looks at its arguments.
    fn reads_arguments(&self, main: MethodId) -> bool {
        let code = self.world.method(main).code.as_ref();
        let reads = |instruction: &Instruction| matches!(instruction, Instruction::Load(Kind::Reference, 0));
        code.is_none_or(|code| code.instructions.iter().any(reads))
    }

    /// The class's own initialiser.
    pub(super) fn class_initialiser(&self, class: ClassId) -> Option<MethodId> {
        let index = self.world.class(class).method("<clinit>", "()V")?;
        Some(MethodId { class, index: index as u32 })
    }

    /// The classes that are initialised when the given one is, in order.
    pub(super) fn initialised_before(&self, class: ClassId, order: &mut Vec<ClassId>) {
        for above in before(self.world, class) {
            self.initialised_before(above, order);
        }
        if !order.contains(&class) {
            order.push(class);
        }
    }

    /// The string object of a literal, made before the program starts.
    pub(super) fn literal(&mut self, units: &Rc<[u16]>) -> VarId {
        if let Some(known) = self.literals.get(units) {
            return *known;
        }
        let text: String = String::from_utf16_lossy(units).chars().take(24).collect();
        let variable = self.fixed_object(&format!("{text:?}"));
        self.literals.insert(Rc::clone(units), variable);
        let characters = self.fixed_object(&format!("characters of {text:?}"));
        let string = self.world.known("java/lang/String").expect("reached before anything else");
        let array = self.world.known("[C").expect("reached before anything else");
        let length = units.len() as i64;
        self.make_early(characters, array, BODY_OFFSET + 2 * length);
        self.set_early(characters, LENGTH_OFFSET, int(length));
        for (i, unit) in units.iter().enumerate() {
            let value = Expr::Int(Integer::from(i64::from(*unit)), Type::machine(16, false));
            self.set_early(characters, BODY_OFFSET + 2 * i as i64, value);
        }
        self.make_early(variable, string, self.world.classes[string].size);
        let place = self.field_offset("java/lang/String", "value", "[C");
        self.set_early(variable, place, Expr::Var(characters));
        variable
    }

    /// The class object of a class, made before the program starts.
    pub(super) fn class_object(&mut self, class: ClassId) -> VarId {
        if let Some(known) = self.class_objects.get(&class) {
            return *known;
        }
        let name = self.world.class(class).name.replace('/', ".");
        let variable = self.fixed_object(&format!("class {name}"));
        self.class_objects.insert(class, variable);
        let of_class = self.world.known(CLASS).expect("reached where class objects are");
        let above = self.world.classes[class].parent.filter(|_| {
            // Interfaces extend nothing, though their class files say otherwise.
            !self.world.class(class).is_interface && self.asks_class("above", "()Ljava/lang/Class;")
        });
        let above = above.map(|above| self.class_object(above));
        let component =
            self.world.element_class(class).filter(|_| self.asks_class("getComponentType", "()Ljava/lang/Class;"));
        let component = component.map(|component| self.class_object(component));
        let simple = self.simple_name(class).filter(|_| self.asks_class("getSimpleName", TEXT));
        let canonical = self.asks_class("getCanonicalName", TEXT).then(|| self.canonical_name(class)).flatten();
        let name = Some(name).filter(|_| !self.world.class(class).is_hidden);
        let names: Vec<(&str, VarId)> = [("name", name), ("simpleName", simple), ("canonicalName", canonical)]
            .into_iter()
            .filter_map(|(field, text)| Some((field, self.literal(&text?.encode_utf16().collect()))))
            .collect();
        self.make_early(variable, of_class, self.world.classes[of_class].size);
        for (field, text) in names {
            let place = self.field_offset(CLASS, field, "Ljava/lang/String;");
            self.set_early(variable, place, Expr::Var(text));
        }
        for (field, other) in [("superclass", above), ("componentType", component)] {
            if let Some(other) = other {
                let place = self.field_offset(CLASS, field, "Ljava/lang/Class;");
                self.set_early(variable, place, Expr::Var(other));
            }
        }
        let is_interface = i64::from(self.world.class(class).is_interface);
        let place = self.field_offset(CLASS, "isInterface", "Z");
        self.set_early(variable, place, Expr::Int(Integer::from(is_interface), Type::machine(8, true)));
        variable
    }

    /// Whether a method of class objects may be called.
    fn asks_class(&mut self, name: &str, descriptor: &str) -> bool {
        let member = Member { class: CLASS.into(), name: name.into(), descriptor: descriptor.into() };
        self.world.resolve_method(&member).is_ok_and(|method| self.reached.has(method))
    }

    /// The name of a class inside of the one around it; none where the virtual machine makes one up.
    fn simple_name(&self, class: ClassId) -> Option<String> {
        let of_class = self.world.class(class);
        match (&of_class.element, &of_class.nesting) {
            (Some(JavaType::Reference(_)), _) => Some(self.simple_name(self.world.element_class(class)?)? + "[]"),
            (Some(element), _) => Some(format!("{element}[]")),
            _ if of_class.is_hidden => None,
            (None, Some(nesting)) => Some(nesting.name.as_deref().unwrap_or_default().to_owned()),
            (None, None) => of_class.name.rsplit('/').next().map(str::to_owned),
        }
    }

    /// The name of a class with those of all around it; none for a class inside of code.
    fn canonical_name(&mut self, class: ClassId) -> Option<String> {
        self.nested_name(class, 0)
    }

    fn nested_name(&mut self, class: ClassId, depth: usize) -> Option<String> {
        // A broken class file may have classes around each other.
        if depth > MAX_NESTED {
            return None;
        }
        let of_class = self.world.class(class);
        match (&of_class.element, &of_class.nesting) {
            (Some(JavaType::Reference(_)), _) => {
                Some(self.nested_name(self.world.element_class(class)?, depth + 1)? + "[]")
            }
            (Some(element), _) => Some(format!("{element}[]")),
            (None, Some(nesting)) => {
                let (outer, name) = (nesting.outer.clone()?, nesting.name.clone()?);
                let outer = self.world.load(&outer).ok()?;
                Some(format!("{}.{name}", self.nested_name(outer, depth + 1)?))
            }
            (None, None) => Some(of_class.name.replace('/', ".")),
        }
    }

    /// An array of all literals, made before the program starts.
    pub(super) fn literal_table(&mut self) -> VarId {
        match self.literal_table {
            Some(known) => known,
            None => {
                let table = self.fixed_object("literals");
                self.literal_table = Some(table);
                table
            }
        }
    }

    /// Puts the literals into their array, when all are known.
    pub(super) fn fill_literal_table(&mut self) {
        let Some(table) = self.literal_table else { return };
        let mut literals: Vec<VarId> = self.literals.values().copied().collect();
        literals.sort_unstable();
        let array = self.world.known("[Ljava/lang/String;").expect("reached before anything else");
        self.make_early(table, array, BODY_OFFSET + 8 * literals.len() as i64);
        self.set_early(table, LENGTH_OFFSET, int(literals.len() as i64));
        for (i, literal) in literals.into_iter().enumerate() {
            self.set_early(table, BODY_OFFSET + 8 * i as i64, Expr::Var(literal));
        }
    }

    /// A table of the class objects by class number, made before the program starts.
    pub(super) fn class_table(&mut self) -> VarId {
        if let Some(known) = self.class_table {
            return known;
        }
        let objects: Vec<VarId> = self.numbered.clone().into_iter().map(|class| self.class_object(class)).collect();
        let table = self.fixed_object("class objects");
        self.class_table = Some(table);
        let size = Expr::Int(Integer::from(8 * (objects.len() as i64 + 1)), OFFSET);
        self.early.push((table, Statement::Allocate { target: table, size, region: Region::Static, zeroed: true }));
        for (i, object) in objects.into_iter().enumerate() {
            self.set_early(table, 8 * (i as i64 + 1), Expr::Var(object));
        }
        table
    }

    pub(super) fn field_offset(&mut self, class: &str, name: &str, descriptor: &str) -> i64 {
        let member = Member { class: class.into(), name: name.into(), descriptor: descriptor.into() };
        let field = self.world.resolve_field(&member).expect("the models have their fields");
        field.offset.expect("it is a field of objects")
    }

    /// A global that will always point to one object.
    pub(super) fn fixed_object(&mut self, name: &str) -> VarId {
        let name = self.unique_name(None, name);
        let variable = Variable { name, ty: Type::Pointer, scope: Scope::Global, role: Role::Data, span: None };
        let id = self.program.variables.push(variable);
        self.fixed.insert(id);
        id
    }

    pub(super) fn make_early(&mut self, target: VarId, class: ClassId, bytes: i64) {
        let size = Expr::Int(Integer::from(bytes), OFFSET);
        self.early.push((target, Statement::Allocate { target, size, region: Region::Static, zeroed: true }));
        let number = self.numbers.get(&class).copied().unwrap_or_default();
        self.set_early(target, CLASS_OFFSET, int(i64::from(number)));
    }

    pub(super) fn set_early(&mut self, object: VarId, offset: i64, value: Expr) {
        let address = at(&Expr::Var(object), offset);
        self.early.push((object, Statement::Store { address, value }));
    }

    /// Makes those of the early objects that something uses, before anything else starts.
    pub(super) fn make_used_objects(&mut self) {
        let mut used: FxHashSet<VarId> = FxHashSet::default();
        let blocks = self.program.procedures.iter().flat_map(|p| p.edges.iter().flat_map(|edge| &edge.block));
        for expression in self.program.init.iter().chain(blocks).flat_map(Statement::expressions) {
            expression.for_each_var(&mut |variable| {
                used.insert(variable);
            });
        }
        // What an object refers to is made before it.
        for (owner, statement) in self.early.iter().rev() {
            if used.contains(owner) {
                for expression in statement.expressions() {
                    expression.for_each_var(&mut |variable| {
                        used.insert(variable);
                    });
                }
            }
        }
        let early = std::mem::take(&mut self.early).into_iter();
        let kept = early.filter(|(owner, _)| used.contains(owner)).map(|(_, statement)| statement);
        let rest = std::mem::take(&mut self.program.init);
        self.program.init = kept.chain(rest).collect();
    }

    /// The value of a constant field.
    pub(super) fn constant_value(&mut self, constant: &Constant) -> Expr {
        match constant {
            Constant::Int(n) => int(i64::from(*n)),
            Constant::Long(n) => long(*n),
            Constant::Float(bits) => Expr::Float(u64::from(*bits), FloatKind::F32),
            Constant::Double(bits) => Expr::Float(*bits, FloatKind::F64),
            Constant::String(units) => Expr::Var(self.literal(units)),
            Constant::Null | Constant::Class(_) => default_value(Kind::Reference),
        }
    }
}
