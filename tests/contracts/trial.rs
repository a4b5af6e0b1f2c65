//! Programs made from a contract, each with the verdict that the contract promises.
//!
//! A trial of a violation comes with a control: the same program without the call must be correct, so
//! that it is the call that violates.

use crate::contract::{Argument, Cancel, Contract, Extent, File, Mode, Outcome, position};

/// A program, a question and its answer.
#[derive(Debug)]
pub struct Trial {
    /// `pthread_mutex_lock.freed.mutex`
    pub name: String,
    pub text: String,
    pub property: &'static str,
    pub wanted: &'static str,
}

/// How an argument's object is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// In static memory, ready for use.
    Ready,
    /// In a heap block that is freed before the call.
    Freed,
    /// In a heap block that is a byte too small.
    Small,
    Null,
}

/// All trials of one function.
pub fn trials(file: &File, contract: &Contract, function: &str) -> Vec<Trial> {
    let Some(call) = &contract.call else { return Vec::new() };
    let writer = Writer { file, contract, function, call: call.replace('$', function) };
    if contract.refused.is_some() {
        return vec![writer.trial("refused", writer.valid(), "unreach-call", "unknown")];
    }
    let mut all = writer.valid_trials();
    for argument in &contract.memory {
        all.extend(writer.argument_trials(argument));
    }
    all.extend(writer.result_trials());
    all.extend(writer.pair_trial());
    all.extend(writer.cancel_trials());
    all
}

/// The program of the plain call that prints its result, for a compiler to judge.
pub fn native(file: &File, contract: &Contract, function: &str) -> Option<String> {
    let call = contract.call.as_ref()?;
    let writer = Writer { file, contract, function, call: call.replace('$', function) };
    let judged = contract.refused.is_none() && !contract.skips("native", "") && !writer.is_final();
    judged.then(|| writer.checked(&contract.before, &writer.any_result()))
}

struct Writer<'a> {
    file: &'a File,
    contract: &'a Contract,
    function: &'a str,
    call: String,
}

impl Writer<'_> {
    fn trial(
        &self,
        what: &str,
        text: String,
        property: &'static str,
        wanted: &'static str,
    ) -> Trial {
        Trial { name: format!("{}.{what}", self.function), text, property, wanted }
    }

    fn is_final(&self) -> bool {
        self.contract.returns == "never"
    }

    fn valid_trials(&self) -> Vec<Trial> {
        let text = self.valid();
        let mut all = Vec::new();
        if !self.contract.skips("valid", "") {
            all.push(self.trial("valid", text.clone(), "valid-memsafety", "true"));
            all.push(self.trial("valid", text, "no-data-race", "true"));
        }
        all
    }

    fn valid(&self) -> String {
        let body = format!("{}{}", self.ready(), self.body(&self.contract.before, true));
        self.program("", &body)
    }

    fn argument_trials(&self, argument: &Argument) -> Vec<Trial> {
        let mut all = Vec::new();
        let name = &argument.name;
        let kinds: &[(&str, Made, &str)] = match argument.mode {
            mode if mode.touches() => &[
                ("freed", Made::Freed, "false(valid-deref)"),
                ("small", Made::Small, "false(valid-deref)"),
                ("null", Made::Null, "false(valid-deref)"),
            ],
            Mode::Frees => &[("freed", Made::Freed, "false")],
            _ => &[],
        };
        for &(kind, made, wanted) in kinds {
            if self.contract.skips(kind, name) {
                continue;
            }
            let fine = made == Made::Null && argument.null;
            let [with, without] = [true, false].map(|called| self.broken(argument, made, called));
            let wanted = if fine { "true" } else { wanted };
            let what = format!("{kind}.{name}");
            all.push(self.trial(&what, with, "valid-memsafety", wanted));
            if !fine {
                let what = format!("{what}.control");
                all.push(self.trial(&what, without, "valid-memsafety", "true"));
            }
        }
        if argument.mode.touches() && !self.contract.skips("raced", name) {
            for (place, index) in
                [("first", "0".into()), ("last", format!("{} - 1", self.size(argument)))]
            {
                let [with, without] = [true, false].map(|c| self.raced(argument, &index, c));
                let what = format!("raced.{name}.{place}");
                all.push(self.trial(&what, with, "no-data-race", "false"));
                all.push(self.trial(&format!("{what}.control"), without, "no-data-race", "true"));
            }
        }
        all
    }

    /// One argument is not as it should be.
    fn broken(&self, argument: &Argument, made: Made, called: bool) -> String {
        let mut body = String::new();
        for other in &self.contract.memory {
            let made = if other == argument { made } else { Made::Ready };
            body.push_str(&self.object(other, made));
        }
        let before = self.statements_for(&self.contract.before, argument, made);
        body.push_str(&before);
        if made == Made::Freed {
            body.push_str(&format!("    free({});\n", argument.name));
        }
        if called {
            body.push_str(&format!("    {};\n", self.call));
        }
        if made == Made::Small {
            body.push_str(&format!("    free((void *){});\n", argument.name));
        }
        self.program("", &body)
    }

    /// What comes before the call, unless it needs an object that is not there.
    fn statements_for(&self, before: &str, argument: &Argument, made: Made) -> String {
        let there = matches!(made, Made::Ready | Made::Freed);
        match there || position(before, &argument.name).is_none() {
            true => format!("    {before}\n"),
            false => String::new(),
        }
    }

    /// Another thread accesses a byte of the argument meanwhile.
    fn raced(&self, argument: &Argument, index: &str, called: bool) -> String {
        let byte = format!("((unsigned char *)test_shared)[{index}]");
        let access = match argument.mode {
            Mode::Writes | Mode::Updates => format!("unsigned char seen = {byte}; (void)seen;"),
            _ => format!("{byte} = 1;"),
        };
        let top = format!(
            "static void *test_shared;\nstatic void *test_racer(void *unused)\n{{\n    {access}\n    return 0;\n}}\n"
        );
        let mut body = self.ready();
        body.push_str(&format!("    {}\n", self.contract.before));
        body.push_str(&format!("    test_shared = (void *){};\n", argument.name));
        body.push_str(
            "    pthread_t test_thread;\n    pthread_create(&test_thread, 0, test_racer, 0);\n",
        );
        if called {
            body.push_str(&format!("    {};\n", self.call));
        }
        self.program(&top, &body)
    }

    fn result_trials(&self) -> Vec<Trial> {
        let contract = self.contract;
        if contract.results.is_empty() || contract.skips("results", "") {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (n, outcome) in contract.results.iter().enumerate() {
            let given = outcome.given.as_ref().unwrap_or(&contract.before);
            let reached = format!("!{}", outcome.condition());
            let text = self.checked(given, &reached);
            all.push(self.trial(&format!("result.{n}.reached"), text, "unreach-call", "false"));
            if outcome.given.is_some() || n == 0 {
                let text = self.checked(given, &self.any_result());
                all.push(self.trial(&format!("result.{n}.no_other"), text, "unreach-call", "true"));
            }
        }
        all
    }

    fn any_result(&self) -> String {
        let mut all: Vec<String> = self.contract.results.iter().map(Outcome::condition).collect();
        if !self.contract.errors.is_empty() {
            all.push(format!("(result == {} && errno > 0)", self.contract.fails));
        }
        if all.is_empty() { "1".into() } else { all.join(" || ") }
    }

    /// The call, and a condition that must hold behind it.
    fn checked(&self, given: &str, condition: &str) -> String {
        let result = match self.contract.returns.as_str() {
            "void" | "never" => format!("    {};\n", self.call),
            ty => format!("    {ty} result = {};\n", self.call),
        };
        let check = format!("    if (!({condition}))\n        violated();\n");
        let after = format!("    {}\n", self.contract.after);
        let body = format!("{}    {given}\n    errno = 0;\n{result}{check}{after}", self.ready());
        self.program("", &body)
    }

    /// Two threads make the same call.
    fn pair_trial(&self) -> Option<Trial> {
        let contract = self.contract;
        if self.is_final() || !contract.before.is_empty() || contract.skips("pair", "") {
            return None;
        }
        let exclusive = contract.memory.iter().any(|a| a.mode.is_exclusive());
        let frees = contract.memory.iter().any(|a| a.mode == Mode::Frees);
        if frees {
            return None;
        }
        let mut top = String::new();
        for argument in &contract.memory {
            top.push_str(&self.declaration(argument));
        }
        top.push_str(&format!(
            "static void *test_caller(void *unused)\n{{\n    {};\n    return 0;\n}}\n",
            self.call
        ));
        let mut body = String::new();
        for argument in &contract.memory {
            body.push_str(&self.initialisation(argument));
        }
        body.push_str("    pthread_t test_one, test_two;\n    pthread_create(&test_one, 0, test_caller, 0);\n");
        body.push_str("    pthread_create(&test_two, 0, test_caller, 0);\n");
        let text = self.program(&top, &body);
        let wanted = if exclusive || contract.r#unsafe { "false" } else { "true" };
        Some(self.trial("pair", text, "no-data-race", wanted))
    }

    /// A request for cancellation is pending when the function is called.
    fn cancel_trials(&self) -> Vec<Trial> {
        if self.is_final() || self.contract.skips("cancel", "") {
            return Vec::new();
        }
        let asked: &[(&str, &str, &'static str)] = match self.contract.cancel {
            Cancel::Point => &[("acted", "!test_passed", "true")],
            Cancel::No => &[("ignored", "test_passed", "true")],
            Cancel::May => {
                &[("acted", "!test_passed", "false"), ("ignored", "test_passed", "false")]
            }
        };
        let trial = |&(what, condition, wanted): &(&str, &str, &'static str)| {
            let text = self.cancelled(condition);
            self.trial(&format!("cancel.{what}"), text, "unreach-call", wanted)
        };
        asked.iter().map(trial).collect()
    }

    fn cancelled(&self, condition: &str) -> String {
        let mut top = String::from("static sem_t test_requested;\nstatic int test_passed;\n");
        top.push_str("static void *test_victim(void *unused)\n{\n    int test_old;\n");
        top.push_str("    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &test_old);\n");
        top.push_str("    sem_wait(&test_requested);\n");
        top.push_str(&self.ready());
        top.push_str(&format!("    {}\n", self.contract.before));
        top.push_str("    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &test_old);\n");
        top.push_str(&format!("    {};\n    test_passed = 1;\n    return 0;\n}}\n", self.call));
        let body = format!(
            "    pthread_t test_thread;\n    void *test_value;\n    sem_init(&test_requested, 0, 0);\n    \
             pthread_create(&test_thread, 0, test_victim, 0);\n    pthread_cancel(test_thread);\n    \
             sem_post(&test_requested);\n    pthread_join(test_thread, &test_value);\n    \
             if (!({condition}))\n        violated();\n"
        );
        self.program(&top, &body)
    }

    /// All arguments as they should be.
    fn ready(&self) -> String {
        self.contract.memory.iter().map(|a| self.object(a, Made::Ready)).collect()
    }

    fn body(&self, before: &str, with_after: bool) -> String {
        let call = match self.contract.returns.as_str() {
            "void" | "never" => format!("    {};\n", self.call),
            ty => format!("    {ty} result = {};\n    (void)result;\n", self.call),
        };
        let after = if with_after { self.contract.after.as_str() } else { "" };
        format!("    {before}\n{call}    {after}\n")
    }

    /// Declares the argument and makes it ready, or not.
    fn object(&self, argument: &Argument, made: Made) -> String {
        let name = &argument.name;
        if argument.extent == Extent::Nothing && argument.mode != Mode::Frees {
            return String::new();
        }
        let ty = pointer(argument);
        match made {
            Made::Ready if argument.mode == Mode::Frees => {
                format!("    {ty}{name} = malloc(8);\n")
            }
            Made::Ready => {
                format!("    {}{}", self.declaration(argument), self.initialisation(argument))
            }
            Made::Null => format!("    {ty}{name} = 0;\n"),
            Made::Freed if argument.mode == Mode::Frees => {
                format!("    {ty}{name} = malloc(8);\n")
            }
            Made::Freed => {
                let size = self.size(argument);
                let fill = self.contents(argument);
                format!(
                    "    {ty}{name} = calloc(1, {size});\n{fill}{}",
                    self.initialisation(argument)
                )
            }
            Made::Small => {
                let size = self.size(argument);
                let mut text = format!("    {ty}{name} = malloc({size} - 1);\n");
                match argument.extent {
                    Extent::String => {
                        let string = self.string(argument);
                        text.push_str(&format!(
                            "    memcpy((void *){name}, {string}, {size} - 1);\n"
                        ));
                    }
                    _ => text.push_str(&format!("    memset((void *){name}, 0, {size} - 1);\n")),
                }
                text
            }
        }
    }

    fn string(&self, argument: &Argument) -> String {
        self.contract.with.get(&argument.name).cloned().unwrap_or("\"abc\"".into())
    }

    /// How many bytes, as an expression of C.
    fn size(&self, argument: &Argument) -> String {
        match &argument.extent {
            Extent::Type(ty) => format!("sizeof({ty})"),
            Extent::String => format!("sizeof({})", self.string(argument)),
            Extent::Bytes(bytes) => format!("({bytes})"),
            Extent::Nothing => "8".into(),
        }
    }

    /// What a heap block for the argument holds before it is made ready.
    fn contents(&self, argument: &Argument) -> String {
        match argument.extent {
            Extent::String => {
                let (name, size) = (&argument.name, self.size(argument));
                format!("    memcpy((void *){name}, {}, {size});\n", self.string(argument))
            }
            _ => String::new(),
        }
    }

    /// A static object and a pointer to it.
    fn declaration(&self, argument: &Argument) -> String {
        let name = &argument.name;
        let with = self.contract.with.get(name);
        let object = match &argument.extent {
            Extent::Type(ty) => {
                let initial = with.map_or(String::new(), |value| format!(" = {value}"));
                format!("static {ty} {name}_object[1]{initial};")
            }
            Extent::String => format!("static char {name}_object[] = {};", self.string(argument)),
            Extent::Bytes(bytes) => {
                let initial = with.map_or(String::new(), |value| format!(" = {value}"));
                format!("static char {name}_object[{bytes}]{initial};")
            }
            Extent::Nothing => return String::new(),
        };
        let ty = pointer(argument);
        format!("{object}\n    static {ty}{name} = {name}_object;\n")
    }

    /// Makes an object of a type ready for use.
    fn initialisation(&self, argument: &Argument) -> String {
        let Extent::Type(ty) = &argument.extent else { return String::new() };
        if argument.mode == Mode::Writes || self.contract.with.contains_key(&argument.name) {
            return String::new();
        }
        match self.file.objects.get(ty) {
            Some(text) => format!("    {}\n", text.replace('$', &argument.name)),
            None => String::new(),
        }
    }

    fn program(&self, top: &str, body: &str) -> String {
        const COMMON: [&str; 6] =
            ["pthread.h", "semaphore.h", "stdlib.h", "string.h", "errno.h", "assert.h"];
        let mut text = String::from("#define _GNU_SOURCE 1\n");
        let own = [self.file.header.as_str()].into_iter();
        let more = self.file.include.iter().map(String::as_str);
        for header in own.chain(more).chain(COMMON) {
            text.push_str(&format!("#include <{header}>\n"));
        }
        let is_argument = |name: &str| self.contract.memory.iter().any(|a| a.name == name);
        for (name, value) in &self.contract.with {
            if !is_argument(name) {
                text.push_str(&format!("enum {{ {name} = {value} }};\n"));
            }
        }
        text.push_str("static void violated(void)\n{\n    assert(0);\n}\n");
        text.push_str(&self.file.define);
        format!("{text}\n{top}int main(void)\n{{\n{body}    return 0;\n}}\n")
    }
}

/// A pointer type that converts to the parameter's.
fn pointer(argument: &Argument) -> String {
    match &argument.extent {
        Extent::Type(ty) => format!("{ty} *"),
        Extent::String => "char *".into(),
        Extent::Bytes(_) | Extent::Nothing => "void *".into(),
    }
}
