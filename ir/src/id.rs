//! What names the parts of a program: numbers, which passes keep, and places in the text, which are for
//! people.
//!
//! Instructions and loops have one number in all forms of a program: the lowering gives it to an
//! instruction, `analysis::prepare` to a loop, and what a pass copies or makes keeps the number of what it
//! stands for. Another lowering of the same text gives other numbers.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(/** A function of `Program::functions`. */ FuncId);
id!(/** A static object of `Program::objects`. */ ObjectId);
id!(/** A register of one function. */ Reg);
id!(/** A memory local of one function. */ SlotId);
id!(/** A block of one function. */ BlockId);
id!(/** A file of `Program::files`. */ FileId);
id!(/** An instruction or the end of a block as the lowering made it: copies keep it. */ InstId);
id!(/** A loop of `Program::loops`, in every form of the program. */ LoopId);

/// Where something stands in the original source (through `#line` markers). Lines and columns
/// count from 1; line 0 means "nowhere in particular".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

/// An instruction, and where people find it. Two places in a text may be one instruction's name only by
/// chance: what must be the same instruction is compared by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct At {
    pub id: InstId,
    pub span: Span,
}

impl At {
    pub const NOWHERE: At = At { id: InstId::NONE, span: Span::NONE };
}

impl InstId {
    /// Before the program was numbered.
    pub const NONE: InstId = InstId(u32::MAX);
}

/// While a program is made; `Program::number` follows.
impl From<Span> for At {
    fn from(span: Span) -> At {
        At { id: InstId::NONE, span }
    }
}

impl Span {
    pub const NONE: Span = Span { file: FileId(0), line: 0, column: 0 };
}
