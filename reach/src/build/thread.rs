//! One thread of a system while it is built.

use super::Build;
use super::guess::Key;
use super::sym::{Goal, Known, Sym};
use crate::system::{END, Flaw, LocId, STUCK, SourcePoint, Target, Trail, vars};
use encoder::Term;
use ir::{FuncId, Span};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

pub struct Raw {
    pub to: Target,
    pub guard: Term,
    pub updates: BTreeMap<Key, Term>,
    pub exact: bool,
    pub trail: Trail,
    pub span: Span,
}

pub struct ThreadBuild {
    pub index: usize,
    pub function: FuncId,
    pub places: Vec<SourcePoint>,
    pub spans: Vec<Span>,
    pub known: Vec<Option<Known>>,
    pub actions: Vec<Vec<Raw>>,
    pub total: Vec<bool>,
    /// By location: guards, cells and values.
    pub stores: Vec<BTreeSet<(Term, Key, Term)>>,
    by_place: FxHashMap<SourcePoint, usize>,
    pub work: Vec<usize>,
    at: usize,
}

/// Numbers and computed addresses in registers that are not the same on all paths.
#[derive(Default)]
struct Differ {
    numbers: Vec<(ir::Reg, u64)>,
    exprs: Vec<(ir::Reg, Term)>,
}

impl ThreadBuild {
    pub fn new(index: usize, function: FuncId, start: Known) -> ThreadBuild {
        let place = SourcePoint { function, block: ir::BlockId(0), index: 0 };
        ThreadBuild {
            index,
            function,
            places: vec![place; 3],
            spans: vec![Span::NONE; 3],
            known: vec![Some(start), None, None],
            actions: vec![vec![], vec![], vec![]],
            total: vec![true; 3],
            stores: vec![BTreeSet::new(); 3],
            by_place: FxHashMap::default(),
            work: vec![0],
            at: 0,
        }
    }

    /// The actions of a location are made (again).
    pub fn begin(&mut self, at: usize) {
        self.at = at;
        self.actions[at].clear();
        self.stores[at].clear();
        self.total[at] = at != 0 || self.index == 0;
    }

    /// Some state has no action here.
    pub fn partial(&mut self) {
        self.total[self.at] = false;
    }

    pub fn outcomes(&self) -> usize {
        self.actions[self.at].len()
    }

    fn location(&mut self, place: SourcePoint, span: Span) -> usize {
        if let Some(known) = self.by_place.get(&place) {
            return *known;
        }
        let id = self.places.len();
        self.places.push(place);
        self.spans.push(span);
        self.known.push(None);
        self.actions.push(Vec::new());
        self.total.push(true);
        self.stores.push(BTreeSet::new());
        self.by_place.insert(place, id);
        id
    }

    /// A path arrives with this. What is in registers and not the same on all paths is given back.
    fn arrive(&mut self, at: usize, known: Known) -> Differ {
        let mut differ = Differ::default();
        let new = match &self.known[at] {
            None => known,
            Some(before) => {
                let new = before.meet(&known);
                let numbers = before.regs.iter().chain(&known.regs);
                let lost = numbers.filter(|(r, _)| !new.regs.contains_key(r));
                differ.numbers.extend(lost.map(|(r, n)| (*r, *n)));
                let exprs = before.exprs.iter().chain(&known.exprs);
                let lost = exprs.filter(|(r, _)| !new.exprs.contains_key(r));
                differ.exprs.extend(lost.map(|(r, t)| (*r, *t)));
                new
            }
        };
        if self.known[at].as_ref() != Some(&new) {
            self.known[at] = Some(new);
            if !self.work.contains(&at) {
                self.work.push(at);
            }
        }
        differ
    }
}

impl Build<'_> {
    /// Ends a path.
    pub fn emit(&mut self, thread: &mut ThreadBuild, sym: Sym, goal: Goal) {
        let span = self.at.span;
        let mut updates = BTreeMap::new();
        let target = match goal {
            Goal::Error(what) => Target::Error(Flaw { what, at: self.at }),
            Goal::Doubt(what) => Target::Doubt(Flaw { what, at: self.at }),
            Goal::End => Target::To(END),
            Goal::Stuck => Target::To(STUCK),
            Goal::At(place) => {
                let at = thread.location(place, span);
                let known = self.arriving(thread, &sym, place, &mut updates);
                let Differ { numbers, exprs } = thread.arrive(at, known);
                for (reg, number) in numbers {
                    self.guess.hold(Key::Register(thread.index, reg), number);
                    self.guess.vary(thread.index, place, reg);
                }
                for (reg, address) in exprs {
                    for number in self.places_of(address) {
                        self.guess.hold(Key::Register(thread.index, reg), number);
                    }
                }
                Target::To(LocId(at as u32))
            }
        };
        updates.extend(sym.mem);
        thread.stores[thread.at].extend(sym.stores);
        let trail = Trail { length: sym.steps, ..sym.trail };
        let raw = Raw { to: target, guard: sym.guard, updates, exact: sym.exact, trail, span };
        thread.actions[thread.at].push(raw);
    }

    /// What is known where a path ends; live registers are updated.
    fn arriving(
        &mut self,
        thread: &ThreadBuild,
        sym: &Sym,
        place: SourcePoint,
        updates: &mut BTreeMap<Key, Term>,
    ) -> Known {
        let mut known = Known { started: sym.started, ..Known::default() };
        let graphs = self.graphs.clone();
        let graph = &graphs[&thread.function];
        for reg in graph.live.before(place.block, place.index).iter() {
            let same = !self.guess.varying.contains(&(thread.index, place, *reg));
            let Some(value) = sym.regs.get(reg) else {
                if let Some(value) = sym.known.regs.get(reg).filter(|_| same) {
                    known.regs.insert(*reg, *value);
                }
                if let Some(value) = sym.known.exprs.get(reg).filter(|t| self.lasts(sym, **t)) {
                    known.exprs.insert(*reg, *value);
                }
                continue;
            };
            let key = Key::Register(thread.index, *reg);
            self.cell(key);
            updates.insert(key, *value);
            match self.pool.constant(*value) {
                Some(number) if same => _ = known.regs.insert(*reg, number),
                _ => {
                    self.keep_leaves(*value);
                    if let Some(computed) = self.computed(sym, *value, updates) {
                        known.exprs.insert(*reg, computed);
                    }
                }
            }
        }
        let lasting = |key: &Key| sym.alone() || !self.guess.shared.contains(key);
        for (key, value) in sym.known.mem.iter().filter(|(key, _)| lasting(key)) {
            known.mem.insert(*key, *value);
        }
        for (key, value) in sym.mem.iter().filter(|(key, _)| lasting(key)) {
            if !matches!(key, Key::Piece(..) | Key::Alive(_) | Key::Fixed(_)) {
                continue;
            }
            match self.pool.constant(*value) {
                Some(number) => _ = known.mem.insert(*key, number),
                None => _ = known.mem.remove(key),
            }
        }
        known
    }

    /// Do the registers in a term hold the same when the action is done?
    fn lasts(&self, sym: &Sym, term: Term) -> bool {
        let written = |var: &Term| {
            sym.regs.keys().any(|reg| {
                let cell = self.by_key.get(&Key::Register(sym.thread, *reg));
                cell.is_some_and(|c| self.cells[c.index()].var == *var)
            })
        };
        !vars(&self.pool, term).iter().any(written)
    }

    /// An address inside of a known object, as computed from registers: these are kept, too.
    fn computed(
        &mut self,
        sym: &Sym,
        value: Term,
        updates: &mut BTreeMap<Key, Term>,
    ) -> Option<Term> {
        if self.pool.width(value) != self.pointer_bits() || !self.is_computed_address(value) {
            return None;
        }
        let parts: Vec<(Key, Term)> = (sym.regs.iter())
            .filter(|(_, t)| **t != value && self.pool.constant(**t).is_none())
            .filter(|(_, t)| {
                self.pool.width(**t) != self.pointer_bits() || !self.is_computed_address(**t)
            })
            .map(|(reg, t)| (Key::Register(sym.thread, *reg), *t))
            .collect();
        let mut map = Vec::new();
        for (key, term) in &parts {
            map.push((*term, self.var(*key)));
        }
        let new = crate::replace::Replace::new(map).apply(&mut self.pool, value);
        let vars = vars(&self.pool, new);
        let mut keys = Vec::new();
        for var in vars {
            let cell = self.cells.iter().position(|c| c.var == var)?;
            let key = self.keys[cell];
            match key {
                Key::Register(thread, reg) if thread == sym.thread => {
                    if sym.regs.contains_key(&reg) {
                        let (_, value) = parts.iter().find(|(k, _)| *k == key)?;
                        keys.push((key, *value));
                    }
                }
                _ => return None,
            }
        }
        updates.extend(keys);
        Some(new)
    }
}
