//! Tokens in memory: the bytes of an object hold the number of a token, and their marks say that they do.

use super::{Partition, Spec, Token};
use crate::program::Type;

/// A byte is marked so where a token of the partition 0 starts, which is in the bytes from there on as its number; with
/// more where one of a later partition does.
const TOKEN: u8 = 2;
/// The mark of the further bytes of a token.
const REST: u8 = 255;
/// The mark of a byte that was of a token that is no longer whole.
pub(in crate::concrete) const ANY: u8 = 254;

/// The token of that type that takes up the bytes.
pub(in crate::concrete) fn token_at(bytes: &[u8], written: &[u8], ty: Type) -> Option<Token> {
    let (first, rest) = written.split_first()?;
    let of = Partition::numbered(u32::from(first.checked_sub(TOKEN).filter(|_| *first < ANY)?))?;
    let is_whole = of.ty == ty && rest.iter().all(|mark| *mark == REST);
    let index = bytes.iter().take(4).rev().fold(0, |index, byte| index << 8 | u32::from(*byte));
    (is_whole && (index as usize) < of.tokens.len()).then_some(Token { of, index })
}

/// A token as bytes and their marks; none where there are too many abstractions to tell apart.
pub(in crate::concrete) fn token_bytes(token: Token, size: usize) -> Option<(Vec<u8>, Vec<u8>)> {
    let number = u8::try_from(token.of.number).ok().filter(|number| *number < ANY - TOKEN)?;
    let mut written = vec![REST; size];
    written[0] = TOKEN + number;
    let bytes = token.index.to_le_bytes().into_iter().chain(std::iter::repeat(0)).take(size).collect();
    Some((bytes, written))
}

/// Marks the bytes of tokens that are not whole.
pub(in crate::concrete) fn forget_parts(written: &mut [u8]) {
    let mut at = 0;
    while at < written.len() {
        let is_head = (TOKEN..ANY).contains(&written[at]);
        let further = written[at + 1..].iter().take_while(|mark| **mark == REST).count();
        let size = Partition::numbered(u32::from(written[at].wrapping_sub(TOKEN))).filter(|_| is_head).map(bytes_of);
        match size {
            Some(size) if size <= further + 1 => {
                written[at + size..at + 1 + further].fill(ANY);
                at += 1 + further;
            }
            Some(_) => {
                written[at..=at + further].fill(ANY);
                at += 1 + further;
            }
            None => {
                if written[at] == REST {
                    written[at] = ANY;
                }
                at += 1;
            }
        }
    }
}

fn bytes_of(partition: &'static Partition) -> usize {
    match partition.ty {
        Type::Machine(machine) => machine.bytes() as usize,
        Type::Float(kind) => kind.bytes() as usize,
        _ => 0,
    }
}

/// The abstraction of a token that has some of the bytes with those marks, or signs.
pub(in crate::concrete) fn abstraction_of(marks: &[u8]) -> &'static Spec {
    let heads = marks.iter().filter(|mark| (TOKEN..ANY).contains(mark));
    let mut partitions = heads.filter_map(|mark| Partition::numbered(u32::from(mark - TOKEN)));
    partitions.next().map_or_else(|| Spec::parse("signs").expect("an abstraction"), |partition| partition.spec)
}
