//! Calls: of functions that are defined, through pointers, and of functions that are not defined.

use super::arithmetic::cast;
use super::{Lower, Lowered};
use crate::frontend::c::tree::{ExprId, FunctionId, Unit};
use crate::frontend::c::types::{Ty, TypeKind};
use crate::program::{BinaryOp, Expr, Statement, Type, VarId};

/// What a parameter or result takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Void,
    Scalar(Type),
    /// A structure of that size, or something that is not supported.
    Record(Option<u64>),
}

/// What a function takes and gives.
struct Signature {
    parameters: Vec<Shape>,
    result: Shape,
    is_variadic: bool,
}

/// Arguments that were evaluated.
#[derive(Debug, Clone, Default)]
pub(super) struct Arguments {
    pub values: Vec<Expr>,
    shapes: Vec<Shape>,
}

impl Arguments {
    /// Values with what they are.
    pub(super) fn new(values: Vec<Expr>, shapes: Vec<Shape>) -> Arguments {
        Arguments { values, shapes }
    }

    /// One argument that is a scalar, or none.
    pub(super) fn of_scalar(argument: Option<(Expr, Type)>) -> Arguments {
        Arguments::of_scalars(argument.into_iter().collect())
    }

    /// Arguments that are scalars.
    pub(super) fn of_scalars(arguments: Vec<(Expr, Type)>) -> Arguments {
        let (values, shapes) = arguments.into_iter().map(|(value, ty)| (value, Shape::Scalar(ty))).unzip();
        Arguments { values, shapes }
    }
}

/// Where a result goes.
#[derive(Debug, Clone)]
pub(super) enum Target {
    /// Nowhere.
    Nothing,
    /// Into a variable.
    Variable(VarId),
    /// To where a pointer points.
    Room { address: Expr, is_used: bool },
}

impl<'u> Lower<'u> {
    /// A call whose result, if it has one, is a scalar.
    pub(super) fn call(
        &mut self,
        callee: ExprId,
        arguments: &[ExprId],
        target: Option<VarId>,
        expr: ExprId,
    ) -> Lowered<()> {
        let result = self.unit.exprs[expr].ty;
        if target.is_none() && self.is_record(result) {
            let address = Expr::Var(self.room(result)?);
            return self.any_call(callee, arguments, Target::Room { address, is_used: false }, expr);
        }
        let target = target.map_or(Target::Nothing, Target::Variable);
        self.any_call(callee, arguments, target, expr)
    }

    /// A call whose result is a structure, which goes to where the pointer points.
    pub(super) fn call_with_room(
        &mut self,
        callee: ExprId,
        arguments: &[ExprId],
        address: Expr,
        expr: ExprId,
    ) -> Lowered<()> {
        self.any_call(callee, arguments, Target::Room { address, is_used: true }, expr)
    }

    fn any_call(&mut self, callee: ExprId, arguments: &[ExprId], target: Target, expr: ExprId) -> Lowered<()> {
        self.check_length()?;
        let span = self.body.span.replace(self.unit.exprs[expr].span);
        let result = match self.unit.direct_callee(callee) {
            Some(function) => self.named_call(function, arguments, &target, expr),
            None => self.indirect_call(callee, arguments, &target, expr),
        };
        self.body.span = span;
        result
    }

    fn named_call(&mut self, function: FunctionId, arguments: &[ExprId], target: &Target, expr: ExprId) -> Lowered<()> {
        let unit = self.unit;
        let name = &*unit.functions[function].name;
        if let Some(kind) = self.options.error_functions.get(name) {
            self.arguments(arguments)?;
            self.check_lost(false);
            let error = self.error_location(kind.clone(), format!("{name} is called"));
            self.go_to(error);
            return Ok(());
        }
        if self.number_of_argument(name, arguments, target)? {
            return Ok(());
        }
        if let Some((number, function)) = self.definition_of_function(function) {
            let arguments = self.arguments(arguments)?;
            return self.defined_call(number, function, arguments, target);
        }
        if self.library_call(name, arguments, target, expr)? {
            return Ok(());
        }
        self.external_call(function, arguments, target, expr)
    }

    /// Evaluates arguments from left to right.
    pub(super) fn arguments(&mut self, arguments: &[ExprId]) -> Lowered<Arguments> {
        let mut values = Vec::with_capacity(arguments.len());
        let mut shapes = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let ty = self.unit.exprs[*argument].ty;
            let mut value = if self.is_record(ty) { self.record(*argument)? } else { self.value(*argument)? };
            for later in &arguments[index + 1..] {
                value = self.keep_across(value, *later);
            }
            values.push(self.shallow(value));
            shapes.push(self.shape(ty));
        }
        Ok(Arguments { values, shapes })
    }

    fn shape(&self, ty: Ty) -> Shape {
        match self.scalar(ty) {
            _ if self.unit.types.is_void(ty) => Shape::Void,
            Some(ty) => Shape::Scalar(ty),
            None => Shape::Record(self.unit.types.size_of(ty)),
        }
    }

    /// Whether a declaration here fits a definition in another unit: no number is taken for a pointer.
    pub(super) fn takes_the_same(&self, declared: FunctionId, number: usize, definition: FunctionId) -> bool {
        let types = |unit: &'u Unit, function: FunctionId| unit.types.as_function(unit.functions[function].ty);
        let other = self.linked[number].unit;
        let (Some(a), Some(b)) = (types(self.unit, declared), types(other, definition)) else { return false };
        let fits = |a: &Ty, b: &Ty| {
            let (a, b) = (self.unit.types.kind(*a), other.types.kind(*b));
            std::mem::discriminant(a) == std::mem::discriminant(b)
                || [a, b].iter().all(|kind| matches!(kind, TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Bool))
        };
        let parameters = a.parameters.iter().zip(&b.parameters).all(|(a, b)| fits(a, b));
        !a.is_prototype || (a.parameters.len() == b.parameters.len() && parameters && fits(&a.result, &b.result))
    }

    /// What a function that is defined takes and gives.
    fn signature(&mut self, number: usize, function: FunctionId) -> Signature {
        let from = self.current;
        self.enter_unit(number);
        let node = &self.unit.functions[function];
        let parameters = node.definition.as_ref().map_or(&[][..], |definition| &definition.parameters);
        let parameters = parameters.iter().map(|object| self.shape(self.unit.objects[*object].ty)).collect();
        let ty = self.unit.types.as_function(node.ty);
        let result = ty.map_or(Shape::Void, |ty| self.shape(ty.result));
        let is_variadic = ty.is_some_and(|ty| ty.is_variadic);
        self.enter_unit(from);
        Signature { parameters, result, is_variadic }
    }

    /// The types of the parameters of a function that is defined, where they are scalars.
    pub(super) fn scalar_parameters(&mut self, number: usize, function: FunctionId) -> Vec<Option<Type>> {
        let Signature { parameters, .. } = self.signature(number, function);
        let scalar = |shape| match shape {
            Shape::Scalar(ty) => Some(ty),
            Shape::Void | Shape::Record(_) => None,
        };
        parameters.into_iter().map(scalar).collect()
    }

    /// The type of what a function that is defined gives, where it is a scalar.
    pub(super) fn scalar_result(&mut self, number: usize, function: FunctionId) -> Option<Type> {
        match self.signature(number, function).result {
            Shape::Scalar(ty) => Some(ty),
            Shape::Void | Shape::Record(_) => None,
        }
    }

    /// Calls a function that is defined.
    pub(super) fn defined_call(
        &mut self,
        number: usize,
        function: FunctionId,
        arguments: Arguments,
        target: &Target,
    ) -> Lowered<()> {
        self.call_of_definition(number, function, arguments, target)?;
        self.return_at_end(number, function)
    }

    fn call_of_definition(
        &mut self,
        number: usize,
        function: FunctionId,
        arguments: Arguments,
        target: &Target,
    ) -> Lowered<()> {
        let Signature { parameters, result, is_variadic } = self.signature(number, function);
        let callee = self.procedure(number, function);
        if callee == self.program.main && self.has_constructors() {
            return Err(self.refuse("a call of `main` in a program with functions that run before it is"));
        }
        if callee == self.program.main && !parameters.is_empty() {
            return Err(self.refuse("a call of `main` with parameters is"));
        }
        let mut values = Vec::with_capacity(parameters.len() + 1);
        if self.threads.has_own() {
            match self.body.own {
                Some(own) if callee != self.program.main => values.push(Expr::Var(own)),
                _ => return Err(self.refuse("a call of `main` in a program with objects of a thread's own is")),
            }
        }
        match (target, result) {
            (Target::Room { address, is_used }, Shape::Record(_)) => {
                values.push(address.clone());
                self.record_calls.entry(callee).or_default().insert(*is_used);
            }
            (_, Shape::Record(_)) | (Target::Room { .. }, _) => {
                return Err(self.refuse("a call of a function that returns another type than its declaration says is"));
            }
            _ => {}
        }
        for (index, shape) in parameters.iter().enumerate() {
            values.push(self.passed(arguments.values.get(index), arguments.shapes.get(index), *shape)?);
        }
        if is_variadic {
            let all = arguments.values.into_iter().zip(arguments.shapes);
            let rest: Vec<(Expr, Shape)> = all.skip(parameters.len()).collect();
            values.push(self.packed(&rest)?);
        }
        self.forget_temporaries();
        let Target::Variable(variable) = target else {
            self.emit_alone(Statement::Call { target: None, callee, arguments: values });
            return Ok(());
        };
        let ty = self.program.variables[*variable].ty;
        match result {
            Shape::Scalar(result) if result == ty => {
                self.emit_alone(Statement::Call { target: Some(*variable), callee, arguments: values });
            }
            Shape::Scalar(result) if result.is_integer() && ty.is_integer() => {
                let own = self.temporary(result);
                self.emit_alone(Statement::Call { target: Some(own), callee, arguments: values });
                self.emit(Statement::Assign(vec![(*variable, cast(ty, Expr::Var(own)))]));
            }
            Shape::Void => {
                self.emit_alone(Statement::Call { target: None, callee, arguments: values });
                self.emit_input(*variable, self.body.span);
            }
            _ => return Err(self.refuse("a call of a function that returns another type than its declaration says is")),
        }
        Ok(())
    }

    /// An argument as the parameter takes it. Without a prototype, its type and number may be wrong.
    fn passed(&mut self, value: Option<&Expr>, from: Option<&Shape>, to: Shape) -> Lowered<Expr> {
        match (value, from, to) {
            (Some(value), Some(from), to) if *from == to => Ok(value.clone()),
            (Some(value), Some(Shape::Scalar(from)), Shape::Scalar(to)) if from.is_integer() && to.is_integer() => {
                Ok(cast(to, value.clone()))
            }
            (Some(value), Some(Shape::Scalar(from)), Shape::Scalar(Type::Bool)) if from.is_integer() => {
                Ok(cast(Type::Bool, value.clone()))
            }
            (None, _, Shape::Scalar(ty)) => {
                // An argument that is missing is anything.
                let missing = self.temporary(ty);
                self.emit_input(missing, self.body.span);
                Ok(Expr::Var(missing))
            }
            _ => Err(self.refuse("an argument of another type than the parameter is")),
        }
    }

    /// Calls whatever a pointer points to: one of the functions whose address is taken.
    fn indirect_call(&mut self, callee: ExprId, arguments: &[ExprId], target: &Target, expr: ExprId) -> Lowered<()> {
        let pointer = self.value(callee)?;
        let pointer = self.keep(pointer);
        let arguments = self.arguments(arguments)?;
        let arguments = self.kept_arguments(arguments);
        let result = self.shape(self.unit.exprs[expr].ty);
        let fits = |lower: &mut Self, (number, function)| {
            let Signature { parameters, result: gives, is_variadic } = lower.signature(number, function);
            let gives_enough = gives == result || result == Shape::Void && !matches!(gives, Shape::Record(_));
            let fixed = if is_variadic { parameters.len().min(arguments.shapes.len()) } else { arguments.shapes.len() };
            parameters == arguments.shapes[..fixed] && gives_enough
        };
        self.for_each_callee(pointer, fits, |lower, (number, function)| {
            lower.defined_call(number, function, arguments.clone(), target)
        })
    }

    /// Goes on for each of the functions whose address is taken, that fit, where a pointer points to it.
    pub(super) fn for_each_callee(
        &mut self,
        pointer: Expr,
        fits: impl Fn(&mut Self, (usize, FunctionId)) -> bool,
        then: impl Fn(&mut Self, (usize, FunctionId)) -> Lowered<()>,
    ) -> Lowered<()> {
        let all = self.address_taken();
        let candidates: Vec<_> = all.iter().copied().filter(|function| fits(self, *function)).collect();
        let has_other_types = candidates.len() < all.len();
        let end = self.location();
        let mut others = Vec::new();
        let source = self.here();
        for candidate in candidates {
            let address = Expr::Function(self.procedure(candidate.0, candidate.1));
            let next = self.location();
            let is_this = Expr::binary(BinaryOp::Eq, pointer.clone(), address.clone());
            others.push(Expr::binary(BinaryOp::Ne, pointer.clone(), address));
            let span = self.body.span;
            self.edge(source, next, vec![Statement::Assume(is_this)], span);
            self.leave();
            self.start_at(next);
            then(self, candidate)?;
            self.go_to(end);
        }
        self.call_of_nothing(source, pointer, others, has_other_types);
        self.start_at(end);
        Ok(())
    }

    fn kept_arguments(&mut self, arguments: Arguments) -> Arguments {
        let values = arguments.values.into_iter().map(|value| self.keep(value)).collect();
        Arguments { values, ..arguments }
    }

    /// Every function whose address is taken, that is defined.
    pub(super) fn address_taken(&mut self) -> Vec<(usize, FunctionId)> {
        let from = self.current;
        let mut found = Vec::new();
        for number in 0..self.linked.len() {
            self.enter_unit(number);
            for function in &self.effects.address_taken {
                if let Some(definition) = self.definition_of_function(*function)
                    && !found.contains(&definition)
                {
                    found.push(definition);
                }
            }
        }
        self.enter_unit(from);
        found
    }

    /// Notes something that the program's meaning here takes for granted.
    pub(super) fn assume(&mut self, text: String) {
        if self.assumed.insert(text.clone()) {
            let span = self.body.span;
            self.program.assumptions.push(crate::program::Assumption { text, span });
        }
    }
}
