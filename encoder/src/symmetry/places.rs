//! Where a group is started and joined: no thread may see in which order.

use super::NodeIndex;
use crate::{Encoding, NodeId, ThreadId};
use rustc_hash::FxHashSet;

/// How the members of a group are started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Starts {
    /// As if all at once.
    Together,
    Apart,
}

/// Are the edges of these threads those of starts and joins, with nothing between the joins?
pub fn check(encoding: &Encoding, index: &NodeIndex, threads: &[ThreadId]) -> Option<Starts> {
    let joins = joins(encoding, threads)?;
    if !joins.is_empty() && !nothing_between(encoding, index, threads, &joins) {
        return None;
    }
    starts(encoding, index, threads)
}

/// The nodes that wait for the ends of the members. `None` if there are other edges, or waits.
fn joins(encoding: &Encoding, threads: &[ThreadId]) -> Option<Vec<NodeId>> {
    let member = |node: NodeId| {
        let thread = encoding.nodes[node.index()].thread;
        threads.contains(&thread).then(|| &encoding.threads[thread.index()])
    };
    if encoding.waits.iter().any(|&(_, a, b)| member(a).is_some() || member(b).is_some()) {
        return None;
    }
    let (mut started, mut joined) = (0, Vec::new());
    for &(from, to) in &encoding.edges {
        match (member(from), member(to)) {
            (None, None) => {}
            (None, Some(t)) if t.spawned_at == Some(from) && t.nodes.first() == Some(&to) => {
                started += 1;
            }
            (Some(t), None) if t.nodes.last() == Some(&from) => joined.push((from, to)),
            _ => return None,
        }
    }
    let ends: FxHashSet<NodeId> = joined.iter().map(|&(end, _)| end).collect();
    let once = joined.len() == ends.len() && (ends.is_empty() || ends.len() == threads.len());
    (once && started == threads.len()).then(|| joined.into_iter().map(|(_, join)| join).collect())
}

/// One thread has all joins, and from the first on until the last it does nothing else.
fn nothing_between(
    encoding: &Encoding,
    index: &NodeIndex,
    threads: &[ThreadId],
    joins: &[NodeId],
) -> bool {
    let thread = encoding.nodes[joins[0].index()].thread;
    if threads.contains(&thread) || joins.iter().any(|n| encoding.nodes[n.index()].thread != thread)
    {
        return false;
    }
    let positions = || joins.iter().map(|&n| index.position(n) as usize);
    let (Some(first), Some(last)) = (positions().min(), positions().max()) else { return false };
    let nodes = &encoding.threads[thread.index()].nodes[first..last];
    let waited_for = sources(encoding);
    nodes.iter().all(|&n| index.events(n).is_empty() && !waited_for.contains(&n))
}

fn starts(encoding: &Encoding, index: &NodeIndex, threads: &[ThreadId]) -> Option<Starts> {
    let start = |t: &ThreadId| encoding.threads[t.index()].spawned_at;
    let (first, last) = (start(threads.first()?)?, start(threads.last()?)?);
    let parent = &encoding.threads[encoding.nodes[first.index()].thread.index()];
    let range = index.position(first) as usize + 1..=index.position(last) as usize;
    let waiting = targets(encoding);
    let quiet = |n: &NodeId| index.events(*n).is_empty() && !waiting.contains(n);
    Some(if parent.nodes.get(range)?.iter().all(quiet) { Starts::Together } else { Starts::Apart })
}

fn sources(encoding: &Encoding) -> FxHashSet<NodeId> {
    let edges = encoding.edges.iter().map(|e| e.0);
    edges.chain(encoding.waits.iter().map(|w| w.1)).collect()
}

fn targets(encoding: &Encoding) -> FxHashSet<NodeId> {
    let edges = encoding.edges.iter().map(|e| e.1);
    edges.chain(encoding.waits.iter().map(|w| w.2)).collect()
}
