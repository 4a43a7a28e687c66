//! What a program can reach from its main method: rapid type analysis over the bytecode.
//!
//! A call of a method of a class means, of all the classes of which objects are made somewhere, those below it. What
//! cannot be linked is left out here; lowering says so where it is reached.

use super::class::Origin;
use super::code::{Code, Constant, Instruction, InvokeKind, Member};
use super::library::{self, NATIVE, NUMBERS, THREAD};
pub use super::trap::Trap;
use super::types::{JavaType, Kind};
pub use super::world::before;
use super::world::{ClassId, LinkError, MethodId, World};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What was reached.
#[derive(Debug, Default)]
pub struct Reached {
    /// The methods, in the order in which they were found.
    pub methods: Vec<MethodId>,
    known: FxHashSet<MethodId>,
    /// The classes of which objects are made, array classes included.
    pub instantiated: BTreeSet<ClassId>,
    /// The classes that are initialised at some time, in the order in which they were found.
    pub initialised: Vec<ClassId>,
    /// Whether the program starts threads, or can tell who has a lock.
    pub has_threads: bool,
    /// Whether class objects of any object are asked for.
    pub asks_class: bool,
    /// For each method, the instructions that call, with what they may call.
    pub calls: FxHashMap<MethodId, Vec<(usize, Vec<MethodId>)>>,
    /// The enums whose constants may be asked for by their class objects.
    pub enums: BTreeSet<ClassId>,
    /// The classes that handlers catch; all if one has no class.
    pub caught: BTreeSet<Option<ClassId>>,
}

impl Reached {
    /// Whether the method may be called.
    pub fn has(&self, method: MethodId) -> bool {
        self.known.contains(&method)
    }
}

/// How many methods are looked at.
const MAX_METHODS: usize = 50_000;

struct Search<'w> {
    world: &'w mut World,
    reached: Reached,
    waiting: Vec<MethodId>,
    /// The calls that depend on the class of an object.
    virtual_calls: Vec<(ClassId, MethodId)>,
    virtual_known: FxHashSet<(ClassId, MethodId)>,
    traps: BTreeSet<Trap>,
    caught_traps: BTreeSet<Trap>,
    /// Whether the constants of enums are asked for by their class objects, and the classes that literals name.
    asks_constants: bool,
    named: BTreeSet<ClassId>,
    /// Whether the name of an exception that nothing catches matters.
    executes: bool,
}

/// Everything that the main method reaches.
pub fn reach(world: &mut World, main: MethodId, executes: bool) -> Result<Reached, LinkError> {
    let mut search = Search {
        world,
        reached: Reached::default(),
        waiting: Vec::new(),
        virtual_calls: Vec::new(),
        virtual_known: FxHashSet::default(),
        traps: BTreeSet::from([Trap::StackOverflow]),
        caught_traps: BTreeSet::new(),
        asks_constants: false,
        named: BTreeSet::new(),
        executes,
    };
    for name in ["java/lang/Object", "java/lang/String", "[C", "[Ljava/lang/String;"] {
        search.instantiate(name)?;
    }
    search.world.load("java/lang/AssertionError")?;
    search.world.load("java/lang/Throwable")?;
    search.initialise(main.class)?;
    search.method(main);
    loop {
        search.drain()?;
        let has_more = search.reach_constants()?;
        if !search.catch_traps()? && !has_more {
            break;
        }
    }
    let methods = search.reached.methods.clone();
    for method in methods {
        let calls = search.calls_of(method)?;
        search.reached.calls.insert(method, calls);
    }
    Ok(search.reached)
}

/// Whether an exception of one class can be caught by a handler for the other, as far as is known.
pub fn is_related(world: &World, thrown: ClassId, caught: Option<ClassId>) -> bool {
    caught.is_none_or(|caught| world.is_subtype(thrown, caught) || world.is_subtype(caught, thrown))
}

/// Skips what is refused here, because lowering names it; what is broken stays an error.
fn linked<T>(result: Result<T, LinkError>) -> Result<Option<T>, LinkError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error @ LinkError::Broken(_)) => Err(error),
        Err(_) => Ok(None),
    }
}

impl Search<'_> {
    fn drain(&mut self) -> Result<(), LinkError> {
        while let Some(method) = self.waiting.pop() {
            if self.reached.methods.len() > MAX_METHODS {
                return Err(LinkError::Broken(format!("the program reaches more than {MAX_METHODS} methods")));
            }
            let called = self.world.method(method);
            if called.is_static && called.is_synchronized {
                self.instantiate("java/lang/Class")?;
            }
            if let Some(code) = self.followed_code(method) {
                self.scan(method, &code)?;
            }
        }
        Ok(())
    }

    /// The code of a method, if it is not answered with unknown.
    fn followed_code(&self, method: MethodId) -> Option<Rc<Code>> {
        let called = self.world.method(method);
        let is_followed = !library::is_not_followed(&self.world.class(method.class).name, &called.name);
        called.code.clone().filter(|_| is_followed)
    }

    fn method(&mut self, method: MethodId) {
        if self.reached.known.insert(method) {
            self.reached.methods.push(method);
            self.waiting.push(method);
        }
    }

    fn scan(&mut self, method: MethodId, code: &Rc<Code>) -> Result<(), LinkError> {
        for handler in &code.handlers {
            let class = match &handler.class {
                None => Some(None),
                Some(name) => linked(self.world.load(name))?.map(Some),
            };
            self.reached.caught.extend(class);
        }
        for instruction in &code.instructions {
            self.instruction(method, instruction)?;
        }
        if goes_through(self.world, method).is_some() {
            self.member_call(&look())?;
        }
        Ok(())
    }

    fn instruction(&mut self, method: MethodId, instruction: &Instruction) -> Result<(), LinkError> {
        use Instruction as I;
        match instruction {
            I::Constant(Constant::Class(name)) => {
                self.named.extend(linked(self.world.load(name))?);
                self.instantiate("java/lang/Class")?;
            }
            I::ArrayLoad(_) | I::ArrayStore(_) | I::ArrayLength => {
                self.traps.extend([Trap::NullPointer, Trap::Index, Trap::ArrayStore]);
            }
            I::Binary(super::code::Operator::Div | super::code::Operator::Rem, kind) => {
                self.traps.insert(Trap::Arithmetic);
                if matches!(kind, Kind::Float | Kind::Double) {
                    self.member_call(&remainder(*kind))?;
                }
            }
            I::GetField(_) | I::PutField(_) | I::MonitorEnter | I::MonitorExit | I::Throw => {
                self.traps.insert(Trap::NullPointer);
            }
            I::GetStatic(member) | I::PutStatic(member) => {
                if let Some(field) = linked(self.world.resolve_field(member))? {
                    self.initialise(field.class)?;
                }
            }
            I::Invoke(kind, member) => self.invoke(method, *kind, member)?,
            I::New(name) => {
                if let Some(class) = linked(self.instantiate(name))? {
                    self.initialise(class)?;
                }
            }
            I::NewArray(element) => {
                self.traps.insert(Trap::NegativeSize);
                linked(self.instantiate(&element.array_of()))?;
            }
            I::MultiNewArray(name, dimensions) => {
                self.traps.insert(Trap::NegativeSize);
                let mut name: Rc<str> = Rc::clone(name);
                for _ in 0..*dimensions {
                    linked(self.instantiate(&name))?;
                    match super::types::element_type(&name) {
                        Some(JavaType::Reference(element)) => name = element,
                        _ => break,
                    }
                }
            }
            I::CheckCast(name) | I::InstanceOf(name) => {
                self.traps.insert(Trap::ClassCast);
                linked(self.world.load(name))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn invoke(&mut self, caller: MethodId, kind: InvokeKind, member: &Member) -> Result<(), LinkError> {
        let Some(called) = linked(resolve(self.world, caller, kind, member))? else { return Ok(()) };
        self.thread_natives(called)?;
        if library::is_value_of(&member.class, &member.name, &member.descriptor)
            && self.world.class(caller.class).origin == Origin::User
        {
            self.member_call(&printed())?;
        }
        self.asks_constants |= is_native(self.world, called, "enumConstants");
        if is_native(self.world, called, "fill") {
            let filled = self.world.resolve_method(&fill_in_stack_trace())?;
            self.virtual_call(filled.class, filled);
        }
        if is_native(self.world, called, "arrayOf") {
            self.traps.insert(Trap::NegativeSize);
            self.instantiate("[Ljava/lang/Object;")?;
        }
        if &*self.world.class(called.class).name == "java/lang/Object" && &*self.world.method(called).name == "clone"
            || is_native(self.world, called, "clone")
        {
            self.traps.insert(Trap::NotCloneable);
        }
        match effective(self.world, kind, called) {
            InvokeKind::Static => {
                self.initialise(called.class)?;
                self.method(called);
            }
            InvokeKind::Special => {
                self.traps.insert(Trap::NullPointer);
                self.method(called);
            }
            InvokeKind::Virtual | InvokeKind::Interface => {
                self.traps.insert(Trap::NullPointer);
                self.virtual_call(receiver(self.world, member, called), called);
            }
        }
        if &*self.world.class(called.class).name == "java/lang/Object" && &*self.world.method(called).name == "getClass"
        {
            self.reached.asks_class = true;
            self.instantiate("java/lang/Class")?;
        }
        Ok(())
    }

    /// What is called where threads are started, and where a program asks for its own.
    fn thread_natives(&mut self, called: MethodId) -> Result<(), LinkError> {
        if &*self.world.class(called.class).name != NATIVE {
            return Ok(());
        }
        let name = Rc::clone(&self.world.method(called).name);
        if matches!(&*name, "start" | "holds" | "currentThread") {
            self.member_call(&thread_method("first", "()Ljava/lang/Thread;"))?;
        }
        if matches!(&*name, "start" | "holds") {
            self.reached.has_threads = true;
            for name in ["enter", "end"] {
                self.member_call(&thread_method(name, "(Ljava/lang/Thread;)V"))?;
            }
        }
        Ok(())
    }

    fn member_call(&mut self, member: &Member) -> Result<(), LinkError> {
        let method = self.world.resolve_method(member)?;
        self.initialise(method.class)?;
        self.method(method);
        Ok(())
    }

    fn virtual_call(&mut self, receiver: ClassId, called: MethodId) {
        if !self.virtual_known.insert((receiver, called)) {
            return;
        }
        self.virtual_calls.push((receiver, called));
        for class in self.reached.instantiated.clone() {
            self.dispatch(class, receiver, called);
        }
    }

    fn dispatch(&mut self, class: ClassId, receiver: ClassId, called: MethodId) {
        if self.world.is_subtype(class, receiver)
            && let Some(target) = self.world.select(class, called)
        {
            self.method(target);
        }
    }

    fn instantiate(&mut self, name: &str) -> Result<ClassId, LinkError> {
        let class = self.world.load(name)?;
        if self.reached.instantiated.insert(class) {
            for (receiver, called) in self.virtual_calls.clone() {
                self.dispatch(class, receiver, called);
            }
        }
        Ok(class)
    }

    fn initialise(&mut self, class: ClassId) -> Result<(), LinkError> {
        if self.reached.initialised.contains(&class) {
            return Ok(());
        }
        for above in before(self.world, class) {
            self.initialise(above)?;
        }
        self.reached.initialised.push(class);
        if let Some(index) = self.world.class(class).method("<clinit>", "()V") {
            self.traps.extend([Trap::InInitializer, Trap::NotInitialized]);
            self.method(MethodId { class, index: index as u32 });
        }
        Ok(())
    }

    /// Reaches what gives the constants of enums, where it is not known of which; tells whether any was new.
    fn reach_constants(&mut self) -> Result<bool, LinkError> {
        if !self.asks_constants {
            return Ok(false);
        }
        let made: Vec<ClassId> = self.reached.instantiated.iter().copied().collect();
        let all: BTreeSet<ClassId> = made.into_iter().flat_map(|class| self.world.chain(class)).collect();
        let mut found = false;
        for class in all.into_iter().chain(self.named.clone()) {
            if let Some(values) = values_of(self.world, class)
                && self.reached.enums.insert(class)
            {
                self.initialise(class)?;
                self.method(values);
                found = true;
            }
        }
        Ok(found)
    }

    /// Reaches what makes the exceptions of the virtual machine that handlers could catch; tells whether any was new.
    fn catch_traps(&mut self) -> Result<bool, LinkError> {
        let mut found = false;
        // What leaves the initialiser of a class is wrapped, whatever it is.
        let wrapper = self.world.load(Trap::InInitializer.class())?;
        let is_wrapped = self.traps.contains(&Trap::InInitializer) && (self.executes || self.is_caught(wrapper));
        for trap in self.traps.clone() {
            if self.caught_traps.contains(&trap) || !is_wrapped && self.reached.caught.is_empty() {
                continue;
            }
            let class = self.world.load(trap.class())?;
            if is_wrapped || self.is_caught(class) {
                self.caught_traps.insert(trap);
                self.member_call(&trap.maker())?;
                found = true;
            }
        }
        Ok(found)
    }

    /// Whether a handler could catch an exception of the class.
    fn is_caught(&self, class: ClassId) -> bool {
        self.reached.caught.iter().any(|caught| is_related(self.world, class, *caught))
    }

    /// What each instruction of a method may call, class initialisers included.
    fn calls_of(&mut self, method: MethodId) -> Result<Vec<(usize, Vec<MethodId>)>, LinkError> {
        let Some(code) = self.followed_code(method) else { return Ok(Vec::new()) };
        let mut calls = Vec::new();
        for (index, instruction) in code.instructions.iter().enumerate() {
            let mut called = Vec::new();
            match instruction {
                Instruction::GetStatic(member) | Instruction::PutStatic(member) => {
                    if let Some(field) = linked(self.world.resolve_field(member))? {
                        self.initialisers(field.class, &mut called);
                    }
                }
                Instruction::New(name) => {
                    if let Some(class) = linked(self.world.load(name))? {
                        self.initialisers(class, &mut called);
                    }
                }
                Instruction::Invoke(kind, member) => {
                    if let Some(target) = linked(resolve(self.world, method, *kind, member))? {
                        match effective(self.world, *kind, target) {
                            InvokeKind::Static => {
                                self.initialisers(target.class, &mut called);
                                called.push(target);
                                if is_native(self.world, target, "enumConstants") {
                                    self.constants(&mut called);
                                }
                                if is_native(self.world, target, "fill") {
                                    called.extend(fillers(self.world, &self.reached).into_iter().map(|(m, _)| m));
                                }
                            }
                            InvokeKind::Special => called.push(target),
                            InvokeKind::Virtual | InvokeKind::Interface => {
                                let receiver = receiver(self.world, member, target);
                                let targets = targets(self.world, &self.reached, receiver, target);
                                called.extend(targets.into_iter().map(|(method, _)| method));
                            }
                        }
                    }
                }
                _ => {}
            }
            if !called.is_empty() {
                calls.push((index, called));
            }
        }
        Ok(calls)
    }

    /// What gives the constants of all enums.
    fn constants(&self, called: &mut Vec<MethodId>) {
        for class in &self.reached.enums {
            self.initialisers(*class, called);
            called.extend(values_of(self.world, *class));
        }
    }

    fn initialisers(&self, class: ClassId, called: &mut Vec<MethodId>) {
        for above in before(self.world, class) {
            self.initialisers(above, called);
        }
        if let Some(index) = self.world.class(class).method("<clinit>", "()V") {
            called.push(MethodId { class, index: index as u32 });
        }
    }
}

/// How a method is called, if it may stand for one that is called on an object.
pub fn effective(world: &World, kind: InvokeKind, called: MethodId) -> InvokeKind {
    if world.method(called).is_static { InvokeKind::Static } else { kind }
}

/// A static method of the class of threads.
pub fn thread_method(name: &str, descriptor: &str) -> Member {
    Member { class: THREAD.into(), name: name.into(), descriptor: descriptor.into() }
}

/// Where a method has the hash table that it goes through, if it does.
pub fn goes_through(world: &World, method: MethodId) -> Option<(u16, bool)> {
    let class = world.class(method.class);
    library::goes_through(&class.name, &world.method(method).name).filter(|_| class.origin == Origin::Jdk)
}

/// What is called where a method goes through a hash table.
pub fn look() -> Member {
    let (class, name, descriptor) = library::LOOK;
    Member { class: class.into(), name: name.into(), descriptor: descriptor.into() }
}

/// What gives the text of an object that is only printed.
pub fn printed() -> Member {
    let (class, name, descriptor) = library::PRINTED;
    Member { class: class.into(), name: name.into(), descriptor: descriptor.into() }
}

/// The method that computes the remainder of a division of such numbers.
pub fn remainder(kind: Kind) -> Member {
    let descriptor = if kind == Kind::Float { "(FF)F" } else { "(DD)D" };
    Member { class: NUMBERS.into(), name: "remainder".into(), descriptor: descriptor.into() }
}

/// The method that an instruction calls, before it is known on which object.
pub fn resolve(world: &mut World, caller: MethodId, kind: InvokeKind, member: &Member) -> Result<MethodId, LinkError> {
    let called = world.resolve_method(member)?;
    let method = world.method(called);
    if method.is_static != (kind == InvokeKind::Static) {
        let name = world.method_name(called);
        return Err(LinkError::Broken(format!("{name} is called as if it were static, or were not")));
    }
    let class = world.class(called.class);
    if kind == InvokeKind::Virtual
        && &*class.name == "java/lang/Object"
        && let Some((name, descriptor)) = library::monitor_method(&method.name, &method.descriptor)
    {
        return world.resolve_method(&Member {
            class: THREAD.into(),
            name: name.into(),
            descriptor: descriptor.into(),
        });
    }
    let is_user = world.class(caller.class).origin == Origin::User;
    if class.origin == Origin::Jdk
        && kind == InvokeKind::Static
        && let Some((class, name)) = library::replacement(&class.name, &method.name, &method.descriptor, is_user)
    {
        let descriptor = Rc::clone(&method.descriptor);
        return world.resolve_method(&Member { class: class.into(), name: name.into(), descriptor });
    }
    // A call of a method of a superclass is of the nearest one above the caller.
    if kind == InvokeKind::Special && &*method.name != "<init>" && !method.is_private && !class.is_interface {
        let caller_class = caller.class;
        let is_above = caller_class != called.class && world.is_subtype(caller_class, called.class);
        if is_above && let Some(parent) = world.classes[caller_class].parent {
            return world.select(parent, called).ok_or_else(|| LinkError::NoMember(world.method_name(called)));
        }
    }
    Ok(called)
}

/// The class that an object has at least on which a method is called.
pub fn receiver(world: &World, member: &Member, called: MethodId) -> ClassId {
    let named = if member.class.starts_with('[') { None } else { world.known(&member.class) };
    named.unwrap_or(called.class)
}

/// What a call on an object may run, each with the classes of the objects.
pub fn targets(world: &World, reached: &Reached, receiver: ClassId, called: MethodId) -> Vec<(MethodId, Vec<ClassId>)> {
    let mut found: Vec<(MethodId, Vec<ClassId>)> = Vec::new();
    for class in reached.instantiated.iter().copied().filter(|class| world.is_subtype(*class, receiver)) {
        let Some(target) = world.select(class, called) else { continue };
        match found.iter_mut().find(|(known, _)| *known == target) {
            Some((_, classes)) => classes.push(class),
            None => found.push((target, vec![class])),
        }
    }
    found
}

/// The methods of the program that exceptions call where they are made, each with the classes of the exceptions.
pub fn fillers(world: &mut World, reached: &Reached) -> Vec<(MethodId, Vec<ClassId>)> {
    let Ok(called) = world.resolve_method(&fill_in_stack_trace()) else { return Vec::new() };
    let mut found = targets(world, reached, called.class, called);
    found.retain(|(method, _)| world.class(method.class).origin == Origin::User);
    found
}

fn fill_in_stack_trace() -> Member {
    let descriptor = "()Ljava/lang/Throwable;".into();
    Member { class: "java/lang/Throwable".into(), name: "fillInStackTrace".into(), descriptor }
}

/// The method of an enum that gives its constants.
pub fn values_of(world: &World, class: ClassId) -> Option<MethodId> {
    let of_enum = world.class(class);
    let is_enum = of_enum.parent.as_deref() == Some("java/lang/Enum");
    let index = of_enum.method("values", &format!("()[L{};", of_enum.name)).filter(|_| is_enum)?;
    of_enum.methods[index].is_static.then_some(MethodId { class, index: index as u32 })
}

/// Whether a method is the native one of that name.
fn is_native(world: &World, method: MethodId, name: &str) -> bool {
    is_native_class(world, method.class) && &*world.method(method).name == name
}

/// Whether a class is the one whose native methods lowering knows.
pub fn is_native_class(world: &World, class: ClassId) -> bool {
    &*world.class(class).name == NATIVE
}
