//! Write serialization and from-read, from the order in which accesses happened.
//!
//! Per byte: who wrote it last, and who has read that since. A write comes after both. Only the next
//! write is told; the rest of the two relations follows along `ws`.

use super::model::{EdgeKind, GraphEdge};
use interp::{Access, ObjKey};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct ByteHistory {
    bytes: FxHashMap<(ObjKey, u64), Byte>,
}

#[derive(Default)]
struct Byte {
    writer: Option<usize>,
    readers: Vec<usize>,
}

impl ByteHistory {
    pub fn read(&mut self, event: usize, access: &Access) {
        for offset in access.offset..access.offset + access.size {
            self.bytes.entry((access.object, offset)).or_default().readers.push(event);
        }
    }

    /// The edges that lead to this write.
    pub fn write(&mut self, event: usize, access: &Access) -> Vec<GraphEdge> {
        let mut edges = Vec::new();
        for offset in access.offset..access.offset + access.size {
            let byte = self.bytes.entry((access.object, offset)).or_default();
            let before = byte.writer.replace(event).map(|w| (EdgeKind::Ws, w));
            let readers = byte.readers.drain(..).map(|r| (EdgeKind::Fr, r));
            edges.extend(before.into_iter().chain(readers));
        }
        edges.sort_unstable();
        edges.dedup();
        edges.into_iter().map(|(kind, from)| GraphEdge { kind, from, to: event }).collect()
    }
}
