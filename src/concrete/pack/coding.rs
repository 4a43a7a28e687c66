//! Values as bytes, without loss: small numbers take one byte each.

use super::order::Order;
use crate::concrete::token::{Partition, Token};
use crate::concrete::{Pointer, Value};
use crate::program::Type;
use crate::term::Integer;

/// Numbers up to this, zigzagged, take one byte; the bytes above say what follows.
const ONE_BYTE: u64 = 0xef;
const BIG: u8 = 0xf9;
const UNDEFINED: u8 = 0xfa;
const TOKEN: u8 = 0xfb;

/// Writes one part after the other.
pub(super) struct Writer<'o> {
    pub bytes: Vec<u8>,
    /// How objects are numbered, if not as they were made.
    pub order: Option<&'o Order>,
    /// Whether a pointer got another number since this was last set to false.
    pub renamed: bool,
}

impl Writer<'_> {
    #[inline]
    pub(super) fn value(&mut self, value: &Value) {
        match value {
            Value::Int(n) => match n.to_i64() {
                Some(n) => self.integer(n),
                None => self.big(n),
            },
            Value::Pointer(pointer) => self.pointer(*pointer),
            Value::Float(bits, _) => self.natural(*bits),
            Value::Undefined => self.bytes.push(UNDEFINED),
            Value::Token(token) => self.token(*token),
            Value::Bool(_) => unreachable!("truth values are numbers inside the machine"),
        }
    }

    #[inline]
    fn integer(&mut self, n: i64) {
        self.natural(((n << 1) ^ (n >> 63)) as u64);
    }

    #[inline]
    pub(super) fn natural(&mut self, n: u64) {
        if n <= ONE_BYTE {
            self.bytes.push(n as u8);
        } else {
            let length = (64 - n.leading_zeros()).div_ceil(8);
            self.bytes.push(ONE_BYTE as u8 + length as u8);
            self.bytes.extend_from_slice(&n.to_le_bytes()[..length as usize]);
        }
    }

    #[cold]
    fn token(&mut self, token: Token) {
        self.bytes.push(TOKEN);
        self.natural(u64::from(token.of.number));
        self.natural(u64::from(token.index));
    }

    fn big(&mut self, n: &Integer) {
        let bytes = n.to_big().to_signed_bytes_le();
        self.bytes.push(BIG);
        self.natural(bytes.len() as u64);
        self.bytes.extend_from_slice(&bytes);
    }

    pub(super) fn pointer(&mut self, pointer: Pointer) {
        let after = self.renamed_pointer(pointer);
        self.renamed |= after != pointer;
        self.plain_pointer(after);
    }

    pub(super) fn renamed_pointer(&self, pointer: Pointer) -> Pointer {
        self.order.map_or(pointer, |order| order.renamed(pointer))
    }

    pub(super) fn plain_pointer(&mut self, pointer: Pointer) {
        self.natural(u64::from(pointer.object));
        self.integer(pointer.offset);
    }
}

/// Reads what a [`Writer`] wrote.
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.bytes.split_first().expect("a part ends where its writer ended it");
        self.bytes = rest;
        *first
    }

    pub(super) fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        taken
    }

    #[inline]
    pub(super) fn value(&mut self, ty: Type) -> Value {
        match self.bytes[0] {
            UNDEFINED => {
                self.byte();
                Value::Undefined
            }
            TOKEN => {
                self.byte();
                let (number, index) = (self.number(), self.number());
                Value::Token(Token { of: Partition::numbered(number).expect("it was packed"), index })
            }
            BIG => {
                self.byte();
                let length = self.natural() as usize;
                Value::Int(Integer::from_le_bytes(self.take(length), true))
            }
            _ => match ty {
                Type::Pointer => Value::Pointer(self.pointer()),
                Type::Float(kind) => Value::Float(self.natural(), kind),
                Type::Bool | Type::Int | Type::Machine(_) => Value::int(self.small()),
            },
        }
    }

    fn small(&mut self) -> i64 {
        let n = self.natural();
        (n >> 1) as i64 ^ -((n & 1) as i64)
    }

    #[inline]
    pub(super) fn natural(&mut self) -> u64 {
        let first = self.byte();
        if u64::from(first) <= ONE_BYTE {
            return u64::from(first);
        }
        let mut bytes = [0; 8];
        let length = (first - ONE_BYTE as u8) as usize;
        bytes[..length].copy_from_slice(self.take(length));
        u64::from_le_bytes(bytes)
    }

    pub(super) fn number(&mut self) -> u32 {
        u32::try_from(self.natural()).expect("written from a u32")
    }

    pub(super) fn pointer(&mut self) -> Pointer {
        Pointer { object: self.number(), offset: self.small() }
    }
}
