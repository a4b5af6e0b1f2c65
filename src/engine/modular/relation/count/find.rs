//! Which threads and which stores are counted.
//!
//! Stores that add a constant to a guarded cell. In a template with stores that add and stores that
//! take away, the former set a flag and the latter clear it; else all set it. If there are several
//! of one sign, each also gets a flag of its own: a thread may pass more than one. Nothing here
//! needs to be right: sums are what they are.

use super::super::candidate::{Expr, Reader};
use super::super::ghost::{CountedTemplate, FlagCount, Ghost, Parts};
use super::super::guards::{Cell, CellId, GuardKind, Guards, Of};
use super::WIDE;
use crate::engine::modular::interference::Interference;
use crate::engine::modular::log::{Log, Site};
use crate::engine::modular::value::TemplateId;
use ir::types::Scalar;
use ir::{BinOp, InstKind};
use std::collections::BTreeMap;

/// More of them are not counted.
const MAX_TALLIES: usize = 12;
const MAX_STORES: usize = 12;

/// Stores to one cell, with what they add.
type Stores = Vec<(Site, i128)>;

impl Guards {
    /// The guards with ghosts.
    pub fn counting(mut self, interference: &Interference<'_>, log: &Log) -> Guards {
        let cells: Vec<CellId> =
            self.cells().filter(|(_, c)| c.is_guarded()).map(|(id, _)| id).collect();
        for cell in cells {
            let mut by_class: BTreeMap<TemplateId, Stores> = BTreeMap::new();
            for (site, adds) in stores(interference, log, &self, cell) {
                by_class.entry(site.0).or_default().push((site, adds));
            }
            let main = by_class.remove(&TemplateId::MAIN).unwrap_or_default();
            self.count_threads(interference, cell, &main, by_class);
        }
        self
    }

    fn count_threads(
        &mut self,
        interference: &Interference<'_>,
        cell: CellId,
        main: &Stores,
        others: BTreeMap<TemplateId, Stores>,
    ) {
        let counted = |template: &TemplateId| start_of(interference, *template).is_some();
        let many = self.counts.tallies.len() >= MAX_TALLIES || main.len() > MAX_STORES;
        let nothing = main.is_empty() && others.is_empty();
        if nothing || many || !others.keys().all(counted) {
            return;
        }
        let kind = self.cells[cell.0].kind.clone();
        let passes =
            main.iter().map(|(site, adds)| (self.passes(*site, kind.clone()), *adds)).collect();
        let mut together = Parts { cell, weights: passes };
        let mut apart = together.clone();
        for (template, stores) in others {
            self.count_template(interference, template);
            let (ups, downs): (Stores, Stores) = stores.iter().partition(|(_, adds)| *adds > 0);
            let (sets, clears) = if ups.is_empty() { (&downs, &ups) } else { (&ups, &downs) };
            let tally = self.tally(template, sets, clears, &kind);
            together.weights.push((tally, sets[0].1));
            for (site, adds) in stores.iter().take(MAX_STORES) {
                let single = vec![(*site, *adds)];
                let alone = if stores.len() == 1 {
                    tally
                } else {
                    self.tally(template, &single, &vec![], &kind)
                };
                apart.weights.push((alone, *adds));
            }
        }
        let same = together.weights == apart.weights;
        self.counts.sums.push(together);
        if !same {
            self.counts.sums.push(apart);
        }
    }

    fn ghost(&mut self, ghost: Ghost, kind: GuardKind) -> CellId {
        self.cells.push(Cell { of: Of::Ghost(ghost), size: 8, ty: WIDE, kind });
        CellId(self.cells.len() - 1)
    }

    fn passes(&mut self, site: Site, kind: GuardKind) -> CellId {
        if let Some(known) = self.counts.passes.get(&site) {
            return *known;
        }
        let cell = self.ghost(Ghost::Passes(site), kind);
        self.counts.passes.insert(site, cell);
        cell
    }

    fn count_template(&mut self, interference: &Interference<'_>, template: TemplateId) {
        if self.counts.counted.contains_key(&template) {
            return;
        }
        let Some(start) = start_of(interference, template) else { return };
        let started = self.passes(start, GuardKind::Own);
        let total = self.ghost(Ghost::Total(template), GuardKind::Rigid);
        self.counts.counted.insert(template, CountedTemplate { total, started });
    }

    fn tally(
        &mut self,
        template: TemplateId,
        sets: &Stores,
        clears: &Stores,
        kind: &GuardKind,
    ) -> CellId {
        let id = self.counts.tallies.len();
        let flag = self.ghost(Ghost::Flag(id), GuardKind::Own);
        let sum = self.ghost(Ghost::Sum(id), kind.clone());
        let sites = |stores: &Stores| stores.iter().map(|(site, _)| *site).collect();
        self.counts.tallies.push(FlagCount {
            template,
            sets: sites(sets),
            clears: sites(clears),
            flag,
            sum,
        });
        sum
    }
}

/// The instruction of the first thread that starts all threads of this template, and no others.
pub fn start_of(interference: &Interference<'_>, template: TemplateId) -> Option<Site> {
    let site = interference.start(template)?;
    let alone = interference.children(site).count() == 1;
    (site.0 == TemplateId::MAIN && alone).then_some(site)
}

/// Stores that change the cell by a constant.
fn stores(interference: &Interference<'_>, log: &Log, guards: &Guards, cell: CellId) -> Stores {
    let mut found = Stores::new();
    for (site, touches) in &log.sites {
        if guards.exactly(touches) != Some(cell) || !touches.iter().any(|t| t.write) {
            continue;
        }
        let (template, block, at) = *site;
        let function =
            &interference.flat.program.functions[interference.template(template).root.index()];
        let reader = Reader { function, log, guards, template };
        if let Some(InstKind::Store { value, .. }) =
            function.blocks[block.index()].insts.get(at).map(|i| &i.kind)
            && let Some(expr) = reader.operand(value, (block, at), &mut 0)
            && let Some(adds) = added(&expr, cell).filter(|adds| *adds != 0)
        {
            found.push((*site, adds));
        }
    }
    found
}

/// What the expression adds to the cell.
fn added(expr: &Expr, cell: CellId) -> Option<i128> {
    match expr {
        Expr::Cell(of) => (*of == cell).then_some(0),
        Expr::Cast { a, .. } => added(a, cell),
        Expr::Binary { op: BinOp::Add, a, b, .. } => match (&**a, &**b) {
            (a, Expr::Const { bits, ty }) | (Expr::Const { bits, ty }, a) => {
                Some(added(a, cell)? + signed(*bits, *ty))
            }
            _ => None,
        },
        Expr::Binary { op: BinOp::Sub, a, b, .. } => match &**b {
            Expr::Const { bits, ty } => Some(added(a, cell)? - signed(*bits, *ty)),
            _ => None,
        },
        _ => None,
    }
}

fn signed(bits: u64, ty: Scalar) -> i128 {
    ir::arith::wrap(i128::from(bits), ty.bits(ir::types::Machine::Lp64), true)
}
