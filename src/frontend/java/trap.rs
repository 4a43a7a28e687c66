//! The exceptions that the virtual machine throws by itself, and what makes them.

use super::code::Member;
use super::library::THROW;

/// An exception that the virtual machine throws by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of the exceptions")]
pub enum Trap {
    NullPointer,
    Arithmetic,
    Index,
    NegativeSize,
    ClassCast,
    ArrayStore,
    NotCloneable,
    InInitializer,
    NotInitialized,
    StackOverflow,
}

impl Trap {
    /// The class of the exception.
    pub fn class(self) -> &'static str {
        match self {
            Trap::NullPointer => "java/lang/NullPointerException",
            Trap::Arithmetic => "java/lang/ArithmeticException",
            Trap::Index => "java/lang/ArrayIndexOutOfBoundsException",
            Trap::NegativeSize => "java/lang/NegativeArraySizeException",
            Trap::ClassCast => "java/lang/ClassCastException",
            Trap::ArrayStore => "java/lang/ArrayStoreException",
            Trap::NotCloneable => "java/lang/CloneNotSupportedException",
            Trap::InInitializer => "java/lang/ExceptionInInitializerError",
            Trap::NotInitialized => "java/lang/NoClassDefFoundError",
            Trap::StackOverflow => "java/lang/StackOverflowError",
        }
    }

    /// The method of the models that makes one.
    pub fn maker(self) -> Member {
        let (name, descriptor) = match self {
            Trap::NullPointer => ("nullPointer", "(I)Ljava/lang/Throwable;"),
            Trap::Arithmetic => ("arithmetic", "()Ljava/lang/Throwable;"),
            Trap::Index => ("index", "(II)Ljava/lang/Throwable;"),
            Trap::NegativeSize => ("negativeSize", "(I)Ljava/lang/Throwable;"),
            Trap::ClassCast => ("classCast", "(Ljava/lang/Object;IZ)Ljava/lang/Throwable;"),
            Trap::ArrayStore => ("arrayStore", "(Ljava/lang/Object;)Ljava/lang/Throwable;"),
            Trap::NotCloneable => ("notCloneable", "(Ljava/lang/Object;)Ljava/lang/Throwable;"),
            Trap::InInitializer => ("inInitializer", "(Ljava/lang/Throwable;)Ljava/lang/Throwable;"),
            Trap::NotInitialized => ("notInitialized", "(Ljava/lang/String;)Ljava/lang/Throwable;"),
            Trap::StackOverflow => ("stackOverflow", "()Ljava/lang/Throwable;"),
        };
        Member { class: THROW.into(), name: name.into(), descriptor: descriptor.into() }
    }
}
