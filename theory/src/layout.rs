//! The fixed part: what exists, before anything is true.
//!
//! Chains of nodes, accesses at nodes, candidate read-from pairs, literals over the order of two
//! nodes. The layout grows only between solves (see `lib.rs`), so nothing here is ever undone; what
//! depends on positions is rebuilt by `arrange` after a growth.
//!
//! Two accesses *meet* when they touch the same memory: always in one cell, under a literal when an
//! alias was declared (addresses that are only sometimes equal), never otherwise.
//!
//! Cost of `arrange`: `O(k log k)` comparisons for `k` entries, at level 0 only.

use crate::check::OrderProblem;
use crate::index::Index;
use crate::types::*;

/// A write: where, to which cell, and the literal under which it happens (none: always).
#[derive(Clone, Debug)]
pub(crate) struct WriteInfo {
    pub node: Node,
    pub cell: Cell,
    pub guard: Option<Lit>,
    /// Reads of other cells that may meet it.
    pub guests: Index<(Read, Lit)>,
    /// Candidates that read from it.
    pub candidates: Vec<RfId>,
    /// Some candidate leads to a read that may meet writes of other cells.
    pub aliased: bool,
}

/// A read: where and of which cell. Its guard is the host's business: `rf` implies it.
#[derive(Clone, Debug)]
pub(crate) struct ReadInfo {
    pub node: Node,
    pub cell: Cell,
    /// Writes to other cells that may meet it.
    pub guests: Index<(Write, Lit)>,
    /// Candidates that it may read from.
    pub candidates: Vec<RfId>,
    /// The write of the same cell in the same node: together an atomic read-modify-write.
    pub update: Option<Write>,
}

/// The candidate `rf(write, read)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rf {
    pub lit: Lit,
    pub write: Write,
    pub read: Read,
}

/// What a pair literal says about its two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The first comes before the second.
    Before,
    /// Neither comes before the other.
    Apart,
}

/// A literal about two nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodePair {
    pub lit: Lit,
    pub claim: Claim,
    pub from: Node,
    pub to: Node,
}

/// What has to be looked at when a literal becomes true.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LiteralRole {
    Pair(PairId),
    Rf(RfId),
    Guard(Write),
    Alias(Write, Read, Lit),
}

/// The accesses of one cell by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellInfo {
    pub writes: Index<Write>,
    pub reads: Index<Read>,
}

/// Everything that exists.
#[derive(Clone, Debug, Default)]
pub(crate) struct TheoryLayout {
    pub chains: Vec<Vec<Node>>,     // program order
    pub places: Vec<ChainPosition>, // of each node, as of the last `arrange`
    pub chain_of: Vec<Chain>,       // of each node
    pub writes: Vec<WriteInfo>,
    pub reads: Vec<ReadInfo>,
    pub writes_at: Vec<Vec<Write>>, // of each node
    pub cells: Vec<CellInfo>,
    pub aliases: Vec<(Write, Read, Lit)>,
    pub rfs: Vec<Rf>,
    pub pairs: Vec<NodePair>,
    pub denied_by: Vec<Index<PairId>>, // at node `x`, by place of `y`: literals that `x < y` makes false
    pub edges: Vec<(Node, Node)>,      // static order beyond the chains
    roles: Vec<Vec<LiteralRole>>,      // of each literal
}

impl TheoryLayout {
    pub fn add_node(&mut self, chain: Chain, at: usize) -> Node {
        let node = Node::new(self.places.len());
        while self.chains.len() <= chain.index() {
            self.chains.push(Vec::new());
        }
        let line = &mut self.chains[chain.index()];
        line.insert(at.min(line.len()), node);
        self.places.push(ChainPosition { chain, pos: 0 });
        self.chain_of.push(chain);
        self.writes_at.push(Vec::new());
        self.denied_by.push(Index::default());
        node
    }

    pub fn add_write(&mut self, node: Node, cell: Cell, guard: Option<Lit>) -> Write {
        let write = Write::new(self.writes.len());
        let (guests, candidates) = (Index::default(), Vec::new());
        self.writes.push(WriteInfo { node, cell, guard, guests, candidates, aliased: false });
        self.writes_at[node.index()].push(write);
        if let Some(guard) = guard {
            self.add_role(guard, LiteralRole::Guard(write));
        }
        write
    }

    pub fn add_read(&mut self, node: Node, cell: Cell) -> Read {
        let read = Read::new(self.reads.len());
        let (guests, candidates) = (Index::default(), Vec::new());
        self.reads.push(ReadInfo { node, cell, guests, candidates, update: None });
        read
    }

    pub(crate) fn add_alias(&mut self, write: Write, read: Read, lit: Lit) {
        self.aliases.push((write, read, lit));
        self.add_role(lit, LiteralRole::Alias(write, read, lit));
    }

    pub fn add_rf(&mut self, lit: Lit, write: Write, read: Read) {
        let rf = RfId::new(self.rfs.len());
        self.rfs.push(Rf { lit, write, read });
        self.writes[write.index()].candidates.push(rf);
        self.reads[read.index()].candidates.push(rf);
        // The order that an rf literal claims is a pair like any other; only the rest is special.
        self.add_pair(lit, Claim::Before, self.write_node(write), self.read_node(read));
        self.add_role(lit, LiteralRole::Rf(rf));
    }

    pub fn add_pair(&mut self, lit: Lit, claim: Claim, from: Node, to: Node) -> PairId {
        let pair = PairId::new(self.pairs.len());
        self.pairs.push(NodePair { lit, claim, from, to });
        self.add_role(lit, LiteralRole::Pair(pair));
        pair
    }

    /// Makes a late pair findable by place. Needs: the places are arranged.
    pub(crate) fn index_pair(&mut self, id: PairId) {
        let NodePair { claim, from, to, .. } = self.pairs[id.index()];
        self.denied_by[to.index()].insert(self.places[from.index()], id);
        if claim == Claim::Apart {
            self.denied_by[from.index()].insert(self.places[to.index()], id);
        }
    }

    fn arrange_pairs(&mut self) {
        self.denied_by.iter_mut().for_each(Index::clear);
        for (i, pair) in self.pairs.iter().enumerate() {
            let (from, to) = (pair.from.index(), pair.to.index());
            self.denied_by[to].push(self.places[from], PairId::new(i));
            if pair.claim == Claim::Apart {
                self.denied_by[from].push(self.places[to], PairId::new(i));
            }
        }
        self.denied_by.iter_mut().for_each(Index::sort);
    }

    fn add_role(&mut self, lit: Lit, role: LiteralRole) {
        if self.roles.len() <= lit.index() {
            self.roles.resize_with(lit.index() + 1, Vec::new);
        }
        self.roles[lit.index()].push(role);
    }

    /// Gives every node its position and every index its content.
    pub(crate) fn arrange(&mut self) {
        for line in &self.chains {
            for (pos, node) in (0..).zip(line) {
                self.places[node.index()].pos = pos;
            }
        }
        self.arrange_accesses();
        self.arrange_aliases();
        self.arrange_pairs();
    }

    fn arrange_accesses(&mut self) {
        let cells = self.writes.iter().map(|w| w.cell).chain(self.reads.iter().map(|r| r.cell));
        let count = cells.map(|cell| cell.index() + 1).max().unwrap_or(0);
        self.cells = vec![CellInfo::default(); count];
        for (i, write) in self.writes.iter_mut().enumerate() {
            write.guests.clear();
            write.aliased = false;
            let place = self.places[write.node.index()];
            self.cells[write.cell.index()].writes.push(place, Write::new(i));
        }
        for (i, read) in self.reads.iter_mut().enumerate() {
            read.guests.clear();
            let place = self.places[read.node.index()];
            self.cells[read.cell.index()].reads.push(place, Read::new(i));
            let here = &self.writes_at[read.node.index()];
            read.update = here.iter().copied().find(|w| self.writes[w.index()].cell == read.cell);
        }
        for cell in &mut self.cells {
            cell.writes.sort();
            cell.reads.sort();
        }
    }

    fn arrange_aliases(&mut self) {
        for &(write, read, lit) in &self.aliases {
            let (w, r) = (&mut self.writes[write.index()], &mut self.reads[read.index()]);
            if w.cell != r.cell {
                w.guests.push(self.places[r.node.index()], (read, lit));
                r.guests.push(self.places[w.node.index()], (write, lit));
            }
        }
        self.writes.iter_mut().for_each(|w| w.guests.sort());
        self.reads.iter_mut().for_each(|r| r.guests.sort());
        for rf in &self.rfs {
            let read = &self.reads[rf.read.index()];
            let write = &mut self.writes[rf.write.index()];
            write.aliased |= read.cell != write.cell || read.guests.all().next().is_some();
        }
    }

    pub fn place(&self, node: Node) -> ChainPosition {
        self.places[node.index()]
    }

    pub fn length(&self, chain: Chain) -> u32 {
        self.chains[chain.index()].len() as u32
    }

    pub(crate) fn chain_ids(&self) -> impl DoubleEndedIterator<Item = Chain> + use<> {
        (0..self.chains.len()).map(Chain::new)
    }

    pub fn write(&self, write: Write) -> &WriteInfo {
        &self.writes[write.index()]
    }

    pub fn read(&self, read: Read) -> &ReadInfo {
        &self.reads[read.index()]
    }

    pub fn write_node(&self, write: Write) -> Node {
        self.write(write).node
    }

    pub(crate) fn read_node(&self, read: Read) -> Node {
        self.read(read).node
    }

    pub fn rf(&self, rf: RfId) -> Rf {
        self.rfs[rf.index()]
    }

    pub fn pair(&self, pair: PairId) -> NodePair {
        self.pairs[pair.index()]
    }

    pub fn roles(&self, lit: Lit) -> &[LiteralRole] {
        self.roles.get(lit.index()).map_or(&[], Vec::as_slice)
    }

    /// The reads that may meet `write` at `lo..hi` of `chain`, each with the literal it takes.
    pub(crate) fn reads_meeting(
        &self,
        write: Write,
        chain: Chain,
        lo: u32,
        hi: u32,
    ) -> impl Iterator<Item = (Read, Option<Lit>)> + '_ {
        let info = self.write(write);
        let same = self.cells[info.cell.index()].reads.between(chain, lo, hi);
        let other = info.guests.between(chain, lo, hi);
        same.map(|r| (r, None)).chain(other.map(|(r, lit)| (r, Some(lit))))
    }

    /// The writes that may meet `read` at `lo..hi` of `chain`, each with the literal it takes.
    pub(crate) fn writes_meeting(
        &self,
        read: Read,
        chain: Chain,
        lo: u32,
        hi: u32,
    ) -> impl Iterator<Item = (Write, Option<Lit>)> + '_ {
        let info = self.read(read);
        let same = self.cells[info.cell.index()].writes.between(chain, lo, hi);
        let other = info.guests.between(chain, lo, hi);
        same.map(|w| (w, None)).chain(other.map(|(w, lit)| (w, Some(lit))))
    }

    /// The same as plain data, for the slow reference implementation.
    pub fn describe(&self) -> OrderProblem {
        let write = |w: &WriteInfo| (w.node, w.cell, w.guard);
        let pair = |p: &NodePair| (p.lit, p.claim == Claim::Apart, p.from, p.to);
        OrderProblem {
            nodes: self.places.len(),
            chains: self.chains.clone(),
            edges: self.edges.clone(),
            writes: self.writes.iter().map(write).collect(),
            reads: self.reads.iter().map(|r| (r.node, r.cell)).collect(),
            aliases: self.aliases.clone(),
            rfs: self.rfs.iter().map(|rf| (rf.lit, rf.write, rf.read)).collect(),
            pairs: self.pairs.iter().map(pair).collect(),
        }
    }
}
