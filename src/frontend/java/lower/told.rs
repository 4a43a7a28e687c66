//! What exceptions of the virtual machine's own say, and what their texts ask of objects.

use super::branch::{compare, int};
use super::native::Target;
use super::object::class_number_of;
use super::{INT, Lower, Lowered};
use crate::frontend::java::class::Origin;
use crate::frontend::java::code::Member;
use crate::frontend::java::library::{self, NATIVE};
use crate::frontend::java::null_message::{Told, message};
use crate::frontend::java::types::element_type;
use crate::frontend::java::world::{BODY_OFFSET, ClassId, LENGTH_OFFSET, MethodId};
use crate::program::{BinaryOp, Expr, VarId};
use std::rc::Rc;

const RANDOM: &str = "java/util/Random";

/// The texts of messages that are known before the program starts.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// The texts, the first of which has the number 1.
    known: Vec<String>,
    /// The array of them, if anything asks for one.
    table: Option<VarId>,
}

impl Lower<'_> {
    /// The number of a text that a message may have.
    fn text_number(&mut self, text: String) -> i64 {
        let known = &mut self.texts.known;
        let index = known.iter().position(|other| *other == text).unwrap_or_else(|| {
            known.push(text);
            known.len() - 1
        });
        index as i64 + 1
    }

    /// Whether somebody asks for messages.
    fn asks_messages(&mut self) -> bool {
        let member = Member { class: NATIVE.into(), name: "told".into(), descriptor: "()[Ljava/lang/String;".into() };
        self.world.resolve_method(&member).is_ok_and(|method| self.reached.has(method))
    }

    /// The number of what is said of a null reference here; zero where nothing is, negative where it is not known.
    pub(super) fn null_number(&mut self) -> Expr {
        let Some(method) = self.body.method else { return int(-1) };
        if self.world.class(method.class).origin == Origin::Model {
            return int(-1);
        }
        if self.world.class(method.class).is_hidden || !self.asks_messages() {
            return int(0);
        }
        match self.null_message(method) {
            Some(text) => int(self.text_number(text)),
            None => int(0),
        }
    }

    fn null_message(&self, method: MethodId) -> Option<String> {
        let told = self.world.method(method);
        // What was compiled here has the names of local variables, which a plain compiler leaves out.
        let has_names = self.source_of(method.class).is_none();
        let told =
            Told { code: self.body.code.as_ref()?, signature: &told.signature, is_static: told.is_static, has_names };
        message(&told, self.body.index)
    }

    /// What is told of a cast that fails: the object, the number of the class's name, and whether that is the user's.
    pub(super) fn cast_arguments(&mut self, object: &Expr, class: ClassId) -> Vec<Expr> {
        let name = self.world.class(class).name.replace('/', ".");
        let is_users = self.is_users(class);
        vec![object.clone(), int(self.text_number(name)), int(is_users.into())]
    }

    /// Whether a class, or that of an array's elements, comes with the program.
    fn is_users(&self, class: ClassId) -> bool {
        let of_class = self.world.class(class);
        match of_class.origin {
            Origin::User => true,
            Origin::Jdk => false,
            Origin::Model => library::input_classes().any(|(name, _)| name == &*of_class.name),
            Origin::Array => self.world.element_class(class).is_some_and(|element| self.is_users(element)),
        }
    }

    /// The native methods that messages and random numbers need; tells whether this is one.
    pub(super) fn told_native(&mut self, name: &str, arguments: &[Expr], target: Target) -> Lowered<bool> {
        let condition = match name {
            "told" => {
                let table = self.text_table();
                self.set(target, Expr::Var(table));
                return Ok(true);
            }
            "isUsers" => {
                let users: Vec<ClassId> = self.numbered.iter().copied().filter(|class| self.is_users(*class)).collect();
                self.is_one_of(&class_number_of(&arguments[0]), &users)
            }
            "fits" => {
                let wrong = self.breaks_array(&arguments[0], &arguments[1]);
                self.negated(wrong)
            }
            "isBelow" => self.is_below(&arguments[0], &arguments[1]),
            "overridesNext" => self.overrides(&arguments[0], "next", "(I)I")?,
            "overridesSetSeed" => self.overrides(&arguments[0], "setSeed", "(J)V")?,
            _ => return Ok(false),
        };
        self.set(target, Expr::Cast(INT, Box::new(condition)));
        Ok(true)
    }

    /// The condition that the class of an array is that of another one, or below it.
    fn is_below(&self, array: &Expr, other: &Expr) -> Expr {
        let arrays: Vec<ClassId> = self
            .numbered
            .iter()
            .copied()
            .filter(|class| element_type(&self.world.class(*class).name).is_some())
            .collect();
        let case = |above: &ClassId| {
            let is_this = compare(BinaryOp::Eq, class_number_of(other), int(i64::from(self.numbers[above])));
            Expr::And(vec![is_this, self.is_instance(&class_number_of(array), *above)])
        };
        Expr::Or(arrays.iter().map(case).collect())
    }

    /// The condition that an object's class has a method of its own in place of that of the class of random numbers.
    fn overrides(&mut self, object: &Expr, name: &str, descriptor: &str) -> Lowered<Expr> {
        let member = Member { class: RANDOM.into(), name: name.into(), descriptor: descriptor.into() };
        let own = self.world.resolve_method(&member).map_err(|error| self.wrong(error.to_string()))?;
        let has_other =
            |class: &ClassId| self.world.is_subtype(*class, own.class) && self.world.select(*class, own) != Some(own);
        let others: Vec<ClassId> = self.numbered.iter().copied().filter(has_other).collect();
        Ok(self.is_one_of(&class_number_of(object), &others))
    }

    fn text_table(&mut self) -> VarId {
        match self.texts.table {
            Some(known) => known,
            None => {
                let table = self.fixed_object("messages");
                self.texts.table = Some(table);
                table
            }
        }
    }

    /// Puts the texts into their array, when all are known.
    pub(super) fn fill_text_table(&mut self) {
        let Some(table) = self.texts.table else { return };
        let texts = std::mem::take(&mut self.texts.known);
        let literals: Vec<VarId> =
            texts.into_iter().map(|text| self.literal(&text.encode_utf16().collect::<Rc<[u16]>>())).collect();
        let length = literals.len() as i64 + 1;
        let array = self.world.known("[Ljava/lang/String;").expect("reached before anything else");
        self.make_early(table, array, BODY_OFFSET + 8 * length);
        self.set_early(table, LENGTH_OFFSET, int(length));
        for (i, literal) in literals.into_iter().enumerate() {
            self.set_early(table, BODY_OFFSET + 8 * (i as i64 + 1), Expr::Var(literal));
        }
    }
}
