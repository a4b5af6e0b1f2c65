//! Inclusion constraints, solved with a work list of differences: cubic at worst, small in practice.
//! (Andersen: Program Analysis and Specialization for the C Programming Language, 1994.)
//!
//! The constraints of an instance are made when it is met first: at once for all functions, or when a
//! call or a start of a thread is found that leads to it.

use super::*;

/// A call or a start of a thread, whose callee is found out while solving.
struct CallNode {
    /// `None` for a start: a thread serves no call.
    from: Option<Site>,
    args: Vec<Option<SetNode>>,
    /// Where the result goes; for a start the results of threads.
    result: Option<SetNode>,
}

/// The number of a call.
type CallId = u32;

/// What happens to the addresses in a node.
#[derive(Default)]
struct Uses {
    copies: Vec<SetNode>,
    loads: Vec<SetNode>,
    stores: Vec<SetNode>,
    calls: Vec<CallId>,
}

struct Solver<'p> {
    program: &'p Program,
    out: PointsTo,
    uses: Vec<Uses>,
    calls: Vec<CallNode>,
    /// Calls of functions that are yet to be linked.
    found: Vec<(CallId, FuncId)>,
    linked: FxHashSet<(CallId, FuncId)>,
    edges: FxHashSet<(SetNode, SetNode)>,
    work: Vec<(SetNode, PlaceId)>,
    /// Somebody loads from an unknown address, so every content flows there.
    everything: Option<SetNode>,
    /// What a call of an unknown function may call.
    address_taken: Vec<FuncId>,
}

pub fn solved(program: &Program, context: Context) -> PointsTo {
    let mut solver = Solver::new(program, context);
    solver.static_places();
    match context {
        Context::Insensitive => {
            (0..program.functions.len() as u32)
                .for_each(|f| _ = solver.instance((FuncId(f), None)));
        }
        Context::ModelCalls => _ = solver.instance((program.entry, None)),
    }
    solver.initial_contents();
    solver.solve();
    solver.out
}

impl<'p> Solver<'p> {
    fn new(program: &'p Program, context: Context) -> Solver<'p> {
        let out = PointsTo {
            context,
            is_user: program.functions.iter().map(|f| f.origin == Origin::User).collect(),
            places: Vec::new(),
            first_slot: Vec::new(),
            first_function: 0,
            unknown: PlaceId(0),
            instances: Vec::new(),
            ids: FxHashMap::default(),
            regs: Vec::new(),
            returns: Vec::new(),
            first_block: Vec::new(),
            contents: Vec::new(),
            joined: 0,
            spawned: 1,
            sets: Vec::new(),
        };
        let address_taken = match context {
            Context::Insensitive => address_taken(program),
            Context::ModelCalls => Vec::new(),
        };
        let mut solver = Solver {
            program,
            out,
            uses: Vec::new(),
            calls: Vec::new(),
            found: Vec::new(),
            linked: FxHashSet::default(),
            edges: FxHashSet::default(),
            work: Vec::new(),
            everything: None,
            address_taken,
        };
        solver.nodes(2);
        solver
    }

    /// May an input be an address?
    fn knows_unknown(&self) -> bool {
        self.out.context == Context::Insensitive
    }

    /// Room for so many sets.
    fn nodes(&mut self, count: usize) -> SetNode {
        let first = self.out.sets.len();
        self.out.sets.resize_with(first + count, FxHashSet::default);
        self.uses.resize_with(first + count, Uses::default);
        first as SetNode
    }

    /// In the order of their numbers.
    fn static_places(&mut self) {
        let program = self.program;
        for o in 0..program.objects.len() as u32 {
            self.place(Pointee::Object(ObjectId(o)));
        }
        for (f, function) in program.functions.iter().enumerate() {
            self.out.first_slot.push(self.out.places.len() as u32);
            for s in 0..function.slots.len() as u32 {
                self.place(Pointee::Slot(FuncId(f as u32), SlotId(s)));
            }
        }
        self.out.first_function = self.out.places.len() as u32;
        for f in 0..program.functions.len() as u32 {
            self.place(Pointee::Function(FuncId(f)));
        }
        self.out.unknown = self.place(Pointee::Unknown);
        // What is written through an unknown address may be found anywhere.
        (0..self.out.contents.len()).for_each(|p| self.reach_by_unknown(self.out.contents[p]));
    }

    fn place(&mut self, place: Pointee) -> PlaceId {
        let id = PlaceId(self.out.places.len() as u32);
        let contents = self.nodes(2);
        self.out.places.push(place);
        self.out.contents.push(contents);
        self.add(contents + 1, id);
        id
    }

    /// Any content may be read and written by who has an unknown address.
    fn reach_by_unknown(&mut self, contents: SetNode) {
        if self.knows_unknown() {
            let anywhere = self.contents_of(self.out.unknown);
            self.copy(anywhere, contents);
            if let Some(all) = self.everything {
                self.copy(contents, all);
            }
        }
    }

    fn initial_contents(&mut self) {
        for (i, o) in self.program.objects.iter().enumerate() {
            let contents = self.out.contents[i];
            if o.kind == ObjectKind::External {
                self.add_unknown(contents);
            }
            for (_, address) in &o.relocations {
                // Any instance will do: static addresses belong to none.
                if let Some(node) = self.out.node(Instance(0), address) {
                    self.copy(node, contents);
                }
            }
        }
    }

    fn contents_of(&self, place: PlaceId) -> SetNode {
        self.out.contents[place.index()]
    }

    fn add(&mut self, node: SetNode, place: PlaceId) {
        if self.out.sets[node as usize].insert(place) {
            self.work.push((node, place));
        }
    }

    fn add_unknown(&mut self, node: SetNode) {
        if self.knows_unknown() {
            self.add(node, self.out.unknown);
        }
    }

    fn known(&self, node: SetNode) -> Vec<PlaceId> {
        self.out.sets[node as usize].iter().copied().collect()
    }

    fn copy(&mut self, from: SetNode, to: SetNode) {
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.uses[from as usize].copies.push(to);
        self.known(from).into_iter().for_each(|p| self.add(to, p));
    }

    /// The instance with this key; when it is new, with its constraints.
    fn instance(&mut self, key: InstanceKey) -> Instance {
        if let Some(&instance) = self.out.ids.get(&key) {
            return instance;
        }
        let instance = Instance(self.out.instances.len() as u32);
        let program = self.program;
        let function = &program.functions[key.0.index()];
        let regs = self.nodes(function.regs.len() + 1);
        self.out.instances.push(key);
        self.out.ids.insert(key, instance);
        self.out.regs.push(regs);
        self.out.returns.push(regs + function.regs.len() as u32);
        self.out.first_block.push(self.out.places.len() as u32);
        self.body(instance, function);
        instance
    }

    fn body(&mut self, instance: Instance, function: &Function) {
        let mut allocations = 0;
        for (b, block) in function.blocks.iter().enumerate() {
            for (inst, Inst { kind, .. }) in block.insts.iter().enumerate() {
                let site = Site { instance, block: BlockId(b as u32), inst };
                match kind {
                    InstKind::Alloc { dst, .. } => {
                        let place = self.place(Pointee::Heap(instance, allocations));
                        allocations += 1;
                        self.reach_by_unknown(self.contents_of(place));
                        self.add(self.reg(instance, *dst), place);
                    }
                    kind => self.inst(site, kind),
                }
            }
            let value = walk::end_operand(&block.end).and_then(|o| self.out.node(instance, o));
            match (&block.end, value) {
                (Terminator::Return(_), Some(v)) => self.copy(v, self.returned(instance)),
                (Terminator::ExitThread(_), Some(v)) => self.copy(v, self.out.joined),
                _ => {}
            }
        }
        if !function.has_body() {
            self.add_unknown(self.returned(instance));
        }
    }

    fn reg(&self, instance: Instance, reg: Reg) -> SetNode {
        self.out.regs[instance.index()] + reg.0
    }

    fn returned(&self, instance: Instance) -> SetNode {
        self.out.returns[instance.index()]
    }

    fn inst(&mut self, site: Site, kind: &InstKind) {
        let here = site.instance;
        let node = |s: &Self, o: &Operand| s.out.node(here, o);
        match kind {
            InstKind::Assign { dst, value } => {
                for source in self.sources(value) {
                    if let Some(from) = node(self, source) {
                        self.copy(from, self.reg(here, *dst));
                    }
                }
            }
            InstKind::Load { dst, addr, .. } => {
                if let Some(addr) = node(self, addr) {
                    let dst = self.reg(here, *dst);
                    self.uses[addr as usize].loads.push(dst);
                    self.known(addr).into_iter().for_each(|p| self.load(p, dst));
                }
            }
            InstKind::Store { addr, value, .. } => {
                if let (Some(addr), Some(value)) = (node(self, addr), node(self, value)) {
                    self.uses[addr as usize].stores.push(value);
                    self.known(addr)
                        .into_iter()
                        .for_each(|p| self.copy(value, self.contents_of(p)));
                }
            }
            InstKind::Call { dst, callee, args } => {
                let args = args.iter().map(|a| node(self, a)).collect();
                let result = dst.map(|d| self.reg(here, d));
                let callee = match callee {
                    Callee::Direct(f) => Operand::Function(*f),
                    Callee::Indirect(pointer) => *pointer,
                };
                self.site(here, &callee, CallNode { from: Some(site), args, result });
            }
            InstKind::Spawn { function, arg, .. } => {
                let arg = node(self, arg);
                arg.into_iter().for_each(|a| self.copy(a, self.out.spawned));
                let result = Some(self.out.joined);
                self.site(here, function, CallNode { from: None, args: vec![arg], result });
            }
            InstKind::Join { dst, .. } => self.copy(self.out.joined, self.reg(here, *dst)),
            InstKind::Nondet { dst, .. } => self.add_unknown(self.reg(here, *dst)),
            _ => {}
        }
    }

    /// The operands whose addresses the value may still be.
    fn sources<'v>(&self, value: &'v Rvalue) -> walk::Few<&'v Operand> {
        match (value, self.out.context) {
            (Rvalue::Binary { op, .. }, _) if op.is_comparison() => walk::Few::new(),
            (Rvalue::PtrAdd { base, .. }, Context::Insensitive) => walk::Few::from_slice(&[base]),
            _ => walk::rvalue_operands(value),
        }
    }

    fn site(&mut self, here: Instance, callee: &Operand, call: CallNode) {
        let id = self.calls.len() as CallId;
        self.calls.push(call);
        match callee {
            Operand::Function(f) => self.found.push((id, *f)),
            _ => {
                let Some(callee) = self.out.node(here, callee) else { return };
                self.uses[callee as usize].calls.push(id);
                self.known(callee).into_iter().for_each(|p| self.call(p, id));
            }
        }
    }

    fn solve(&mut self) {
        loop {
            while let Some((call, function)) = self.found.pop() {
                self.link(call, function);
            }
            let Some((node, place)) = self.work.pop() else { return };
            let uses = std::mem::take(&mut self.uses[node as usize]);
            uses.copies.iter().for_each(|to| self.add(*to, place));
            uses.loads.iter().for_each(|dst| self.load(place, *dst));
            uses.stores.iter().for_each(|from| self.copy(*from, self.contents_of(place)));
            uses.calls.iter().for_each(|call| self.call(place, *call));
            // Edges that were added to this very node meanwhile come on top.
            let added = std::mem::replace(&mut self.uses[node as usize], uses);
            self.uses[node as usize].copies.extend(added.copies);
        }
    }

    fn load(&mut self, place: PlaceId, dst: SetNode) {
        if place != self.out.unknown {
            return self.copy(self.contents_of(place), dst);
        }
        self.add(dst, place);
        match self.everything {
            Some(all) => self.copy(all, dst),
            None => {
                self.everything = Some(dst);
                (0..self.out.contents.len()).for_each(|p| self.copy(self.out.contents[p], dst));
            }
        }
    }

    fn call(&mut self, place: PlaceId, call: CallId) {
        match self.out.places[place.index()] {
            Pointee::Function(f) => self.found.push((call, f)),
            Pointee::Unknown => self.found.extend(self.address_taken.iter().map(|&f| (call, f))),
            _ => {}
        }
    }

    fn link(&mut self, call: CallId, function: FuncId) {
        if !self.linked.insert((call, function)) {
            return;
        }
        let from = self.calls[call as usize].from;
        let context = from.and_then(|site| self.out.context_of(site, function));
        let callee = self.instance((function, context));
        let CallNode { args, result, .. } = &self.calls[call as usize];
        let params = &self.program.functions[function.index()].params;
        let passed = args.iter().zip(params);
        let passed = passed.filter_map(|(a, p)| Some(((*a)?, self.reg(callee, *p))));
        let returned = result.map(|r| (self.returned(callee), r));
        for (from, to) in passed.chain(returned).collect::<Vec<_>>() {
            self.copy(from, to);
        }
    }
}
