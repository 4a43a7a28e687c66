//! Random functions and calls of them, directly and through pointers.

use super::Generator;
use super::initialiser::Storage;
use super::place::{Reads, Variable, Wanted};
use super::scalar::{Range, Scalar};
use super::types::Type;
use super::value::{Binary, Expression, Level};

/// How often a recursive function calls itself at most.
const MAX_FUEL: usize = 5;

/// A function that can be called.
#[derive(Debug, Clone)]
pub(super) struct Function {
    /// Its name.
    pub(super) name: String,
    /// The types of its parameters.
    pub(super) parameters: Vec<Type>,
    /// Whether a first parameter bounds its recursion.
    pub(super) recursive: bool,
    /// What it returns.
    pub(super) returns: Option<Type>,
    /// How many statements a call executes at most.
    pub(super) cost: u64,
}

/// An array of pointers to functions of one type.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// Its name.
    name: String,
    /// The functions in it.
    functions: Vec<usize>,
}

impl Generator<'_> {
    /// Writes a random function.
    pub(super) fn write_function(&mut self) {
        let same = self.random.percent(35) && !self.functions.is_empty();
        let mut function = if same {
            let like = self.random.below(self.functions.len());
            self.functions[like].clone()
        } else {
            self.signature()
        };
        function.name = self.fresh("f");
        let head = self.head(&function, true);
        if self.random.percent(50) {
            let names = self.random.percent(50);
            let prototype = self.head(&function, names);
            self.prototypes.push_str(&format!("{prototype};\n"));
        }
        (self.cost, self.multiplier, self.recursed) = (1, 1, false);
        self.open(&format!("{head} {{"));
        self.push_parameters(&function);
        if function.recursive {
            let value = function.returns.as_ref().map(|ty| self.result(ty));
            self.line(&format!("if (fuel <= 0) return {};", value.unwrap_or_default()));
            // Only from here on is it known to be positive.
            let range = Some(Range::new(1, MAX_FUEL as i128));
            self.push_parameter("fuel".to_owned(), Type::Scalar(Scalar::Int), true, range);
        }
        self.current = Some(function.clone());
        self.statements(self.config.nesting);
        self.statements(self.config.nesting);
        if let Some(ty) = &function.returns {
            let value = self.result(ty);
            self.line(&format!("return {value};"));
        }
        self.current = None;
        self.close("}");
        function.cost = self.cost * if function.recursive { MAX_FUEL as u64 + 1 } else { 1 };
        self.functions.push(function);
        if same && self.config.pointers {
            self.write_table();
        }
    }

    fn signature(&mut self) -> Function {
        let parameters = (0..self.random.below(5)).map(|_| self.parameter()).collect();
        let returns = match self.random.below(10) {
            0 => None,
            1..3 if !self.records.is_empty() => Some(Type::Record(self.random.below(self.records.len()))),
            3 if self.config.pointers => {
                let accept = |ty: &Type| matches!(ty, Type::Scalar(_));
                let place = self.place(Wanted::target(0), &accept);
                Some(place.map_or(Type::Scalar(Scalar::Long), |place| Type::pointer(place.ty)))
            }
            4 if self.config.floats => Some(self.floating_type()),
            _ => Some(Type::Scalar(self.scalar())),
        };
        let recursive = self.random.percent(30);
        Function { name: String::new(), parameters, recursive, returns, cost: 0 }
    }

    fn parameter(&mut self) -> Type {
        match self.random.below(10) {
            0..2 if self.config.pointers => {
                match self.place(Wanted::target(0), &|ty| !matches!(ty, Type::Cursor(..))) {
                    Some(place) => match place.ty {
                        Type::Array(element, length) => Type::Cursor(element, 0, length - 1),
                        ty => Type::pointer(ty),
                    },
                    None => Type::Scalar(self.scalar()),
                }
            }
            2 if !self.records.is_empty() => Type::Record(self.random.below(self.records.len())),
            3 if self.config.floats => self.floating_type(),
            _ => Type::Scalar(self.scalar()),
        }
    }

    /// The declaration of the function up to its body. Its parameters are called by their numbers.
    fn head(&mut self, function: &Function, names: bool) -> String {
        let parameters = self.parameter_list(function, names);
        let declarator = format!("{}({parameters})", function.name);
        match &function.returns {
            None => format!("static void {declarator}"),
            Some(ty) => format!("static {}", self.declaration(&ty.clone(), &declarator)),
        }
    }

    fn parameter_list(&mut self, function: &Function, names: bool) -> String {
        let mut list = Vec::new();
        if function.recursive {
            list.push(if names { "int fuel".to_owned() } else { "int".to_owned() });
        }
        for (number, ty) in function.parameters.iter().enumerate() {
            let name = if names { format!("a{number}") } else { String::new() };
            list.push(match ty {
                Type::Cursor(element, _, last) if names => {
                    let length = if self.random.percent(50) { String::new() } else { (last + 1).to_string() };
                    self.declaration(element, &format!("{name}[{length}]"))
                }
                ty => self.declaration(ty, &name).trim_end().to_owned(),
            });
        }
        if list.is_empty() { "void".to_owned() } else { list.join(", ") }
    }

    fn push_parameters(&mut self, function: &Function) {
        for (number, ty) in function.parameters.iter().enumerate() {
            self.push_parameter(format!("a{number}"), ty.clone(), number % 2 == 0, None);
        }
    }

    fn push_parameter(&mut self, name: String, ty: Type, private: bool, range: Option<Range>) {
        let writable = range.is_none();
        self.variables.push(Variable { name, ty, writable, private, range, depth: 1, lifetime: 1, ready: true });
    }

    fn write_table(&mut self) {
        let last = self.functions.last().expect("a function was just written").clone();
        let alike = |other: &Function| {
            other.parameters == last.parameters && other.returns == last.returns && other.recursive == last.recursive
        };
        let functions: Vec<usize> = (0..self.functions.len()).filter(|it| alike(&self.functions[*it])).collect();
        let name = self.fresh("table");
        let names: Vec<String> = functions.iter().map(|it| self.functions[*it].name.clone()).collect();
        let count = names.len();
        if self.random.percent(50) {
            let ty = self.fresh("F");
            let text = self.pointer_declaration(&last, &ty);
            self.line(&format!("typedef {text};"));
            self.line(&format!("static {ty} {name}[] = {{ {} }};", names.join(", ")));
        } else {
            let text = self.pointer_declaration(&last, &format!("const {name}[{count}]"));
            self.line(&format!("static {text} = {{ &{} }};", names.join(", ")));
        }
        self.tables.push(Table { name, functions });
    }

    /// The declaration of a pointer to such a function.
    fn pointer_declaration(&mut self, function: &Function, declarator: &str) -> String {
        let parameters = self.parameter_list(function, false);
        let declarator = format!("(*{declarator})({parameters})");
        match &function.returns {
            None => format!("void {declarator}"),
            Some(ty) => self.declaration(&ty.clone(), &declarator),
        }
    }

    /// A value to return.
    fn result(&mut self, ty: &Type) -> String {
        match ty {
            Type::Record(_) => self.record_value(ty, Reads::Any),
            Type::Pointer(target) => match self.address_of(target, 0) {
                Some(address) => address,
                None => {
                    let name = self.fresh("v");
                    let declaration = self.declaration(target, &name);
                    self.line(&format!("static {declaration};"));
                    format!("&{name}")
                }
            },
            Type::Float | Type::Double => self.floating_literal(),
            _ => self.expression(self.config.depth, Reads::Any).text,
        }
    }

    /// A `return` of the function that is being written; none in `main`.
    pub(super) fn return_statement(&mut self) -> Option<String> {
        let function = self.current.clone()?;
        Some(match &function.returns {
            None => "return;".to_owned(),
            Some(ty) => format!("return {};", self.result(ty)),
        })
    }

    /// A call of some function that is accepted, and what it returns; none if there is none that can be afforded.
    fn call(&mut self, accept: &dyn Fn(&Function) -> bool) -> Option<(String, Function)> {
        if let Some(function) = self.current.clone()
            && function.recursive
            && self.multiplier == 1
            && !self.recursed
            && accept(&function)
            && self.random.percent(60)
        {
            let arguments = self.arguments(&function, "fuel - 1".to_owned())?;
            self.recursed = true;
            return Some((format!("{}({arguments})", function.name), function));
        }
        let found: Vec<usize> = (0..self.functions.len())
            .filter(|it| accept(&self.functions[*it]) && self.can_call(self.functions[*it].cost))
            .collect();
        if found.is_empty() {
            return None;
        }
        let index = *self.random.choose(&found);
        let fuel = self.random.between(0, MAX_FUEL).to_string();
        let function = self.functions[index].clone();
        let arguments = self.arguments(&function, fuel)?;
        let (callee, cost) = self.callee(index);
        self.cost += self.multiplier * cost;
        Some((format!("{callee}({arguments})"), function))
    }

    /// A way to call the function, or one of those in a table with it, and what a call costs at most.
    fn callee(&mut self, index: usize) -> (String, u64) {
        let name = self.functions[index].name.clone();
        let cost = self.functions[index].cost;
        let table = self.tables.iter().rev().find(|table| table.functions.contains(&index)).cloned();
        match table {
            Some(table) if self.random.percent(50) => {
                let worst = table.functions.iter().map(|it| self.functions[*it].cost).max().unwrap_or(cost);
                if self.can_call(worst) {
                    let element = self.index(table.functions.len(), Reads::Any);
                    return (format!("{}[{}]", table.name, element.text), worst);
                }
                (name, cost)
            }
            _ if self.config.pointers && self.random.percent(10) => {
                (format!("({}{name})", self.random.choose(&["*", "&", "**"])), cost)
            }
            _ => (name, cost),
        }
    }

    fn arguments(&mut self, function: &Function, fuel: String) -> Option<String> {
        let mut list = Vec::new();
        if function.recursive {
            list.push(fuel);
        }
        for ty in &function.parameters {
            list.push(self.argument(ty)?);
        }
        Some(list.join(", "))
    }

    /// A value for a parameter; none where every object that a pointer could point to is hidden.
    fn argument(&mut self, ty: &Type) -> Option<String> {
        Some(match ty {
            Type::Record(_) => self.record_value(ty, Reads::Any),
            Type::Float | Type::Double => self.floating_literal(),
            Type::Pointer(target) => self.address_of(target, self.depth)?,
            Type::Cursor(element, _, last) => {
                let accept = |ty: &Type| matches!(ty, Type::Array(item, length) if item == element && length > last);
                self.place(Wanted::target(self.depth), &accept)?.text
            }
            _ => self.expression(2, Reads::Any).at(Level::Assignment),
        })
    }

    /// An integer that a call returns, at times joined to something that no call changes.
    pub(super) fn call_value(&mut self) -> Option<Expression> {
        let accept = |function: &Function| match &function.returns {
            Some(Type::Scalar(_)) => true,
            Some(Type::Pointer(target)) => matches!(**target, Type::Scalar(_)),
            _ => false,
        };
        let (text, function) = self.call(&accept)?;
        let value = match function.returns? {
            Type::Pointer(target) => Expression::any(format!("*{text}"), Level::Unary, self.scalar_of(&target)),
            ty => Expression::any(text, Level::Postfix, self.scalar_of(&ty)),
        };
        if self.random.percent(50) {
            return Some(value);
        }
        let operator = *self.random.choose(&Binary::ALL);
        let other = self.expression(1, Reads::Private);
        Some(if self.random.percent(50) {
            self.joined(operator, value, other)
        } else {
            self.joined(operator, other, value)
        })
    }

    /// A call that returns a record of the type.
    pub(super) fn record_call(&mut self, ty: &Type) -> Option<String> {
        Some(self.call(&|function| function.returns.as_ref() == Some(ty))?.0)
    }

    /// A statement that calls something.
    pub(super) fn call_statement(&mut self) -> bool {
        let Some((text, function)) = self.call(&|_| true) else { return false };
        let line = match &function.returns {
            None => format!("{text};"),
            Some(Type::Float | Type::Double) => format!("mix(bits_of({text}));"),
            Some(Type::Pointer(target)) => {
                let value = self.expression(1, Reads::Private);
                match **target {
                    Type::Scalar(_) if self.random.percent(60) => {
                        format!("*{text} = {};", value.at(Level::Assignment))
                    }
                    _ => format!("(void){text};"),
                }
            }
            Some(Type::Record(record)) => {
                let fields = self.records[*record].fields.clone();
                let field = self.random.choose(&fields).clone();
                match field.ty {
                    Type::Scalar(_) if self.is_structure(*record) => format!("mix({text}.{});", field.name),
                    _ => format!("{text};"),
                }
            }
            Some(_) => match self.scalar_place(Wanted::write(Reads::Private)) {
                Some(place) if self.random.percent(50) => format!("{} = {text};", place.text),
                _ => format!("mix({text});"),
            },
        };
        self.line(&line);
        true
    }

    fn is_structure(&self, record: usize) -> bool {
        self.records[record].form == super::types::Form::Structure
    }

    /// Writes a local pointer to a function and a call through it.
    pub(super) fn function_pointer_piece(&mut self) -> bool {
        let Some(table) = self.tables.last().cloned() else { return false };
        let functions: Vec<Function> = table.functions.iter().map(|it| self.functions[*it].clone()).collect();
        let worst = functions.iter().map(|function| function.cost).max().unwrap_or_default();
        if !self.can_call(worst) {
            return false;
        }
        let name = self.fresh("fp");
        let (first, second) = (self.random.choose(&functions).clone(), self.random.choose(&functions).clone());
        let condition = self.condition(1, Reads::Any).at(Level::LogicalOr);
        let declaration = self.pointer_declaration(&first, &name);
        let fuel = self.random.between(0, MAX_FUEL).to_string();
        let Some(arguments) = self.arguments(&first, fuel) else { return false };
        self.open(&format!("{{ {declaration} = {condition} ? {} : &{};", first.name, second.name));
        let star = if self.random.percent(50) { format!("(*{name})") } else { name.clone() };
        self.line(&format!("{star}({arguments}); mix({name} == {}); mix({name} != 0);", second.name));
        self.close("}");
        self.cost += self.multiplier * worst;
        true
    }

    /// Writes `main`: declarations, statements and calls, and at the end what every global holds.
    pub(super) fn write_main(&mut self) {
        (self.cost, self.multiplier, self.recursed) = (1, 1, false);
        let head = if self.random.percent(70) { "int main(void) {" } else { "int main() {" };
        self.open(head);
        for _ in 0..3 {
            self.declare(Storage::Block);
        }
        for _ in 0..self.config.functions.max(1) {
            self.statements(self.config.nesting);
            self.call_statement();
            self.line("printf(\"%llu\\n\", sum);");
        }
        let globals: Vec<(String, Type)> = (self.variables.iter().filter(|variable| variable.depth == 0))
            .filter(|global| !self.variables.iter().any(|other| other.depth > 0 && other.name == global.name))
            .map(|global| (global.name.clone(), global.ty.clone()))
            .collect();
        for (name, ty) in globals {
            self.dump(&name, &ty);
        }
        self.line("printf(\"%llu\\n\", sum);");
        self.line("return 0;");
        self.close("}");
    }

    /// Writes statements that mix in everything of that type.
    fn dump(&mut self, text: &str, ty: &Type) {
        match ty {
            Type::Scalar(_) | Type::Enumeration(_) => self.line(&format!("mix({text});")),
            Type::Float | Type::Double => self.line(&format!("mix(bits_of({text}));")),
            Type::Array(element, length) => {
                let name = self.fresh("i");
                self.open(&format!("for (int {name} = 0; {name} < {length}; {name}++) {{"));
                self.dump(&format!("{text}[{name}]"), element);
                self.close("}");
            }
            Type::Record(record) => {
                let record = self.records[*record].clone();
                if record.form != super::types::Form::Choice {
                    for field in &record.fields {
                        self.dump(&format!("{text}.{}", field.name), &field.ty);
                    }
                }
            }
            Type::Pointer(target) => self.dump(&format!("(*{text})"), target),
            Type::Cursor(element, ..) => self.dump(&format!("(*{text})"), element),
        }
    }
}
