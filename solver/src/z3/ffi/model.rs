//! Models and the values in them.

use super::library::*;
use super::{Ast, Context, Result, nothing};
use std::rc::Rc;

/// An assignment.
pub struct Z3Assignment {
    pub(super) context: Rc<Context>,
    pub(super) raw: Z3_model,
}

impl Z3Assignment {
    /// The value of a term; what the model leaves open is 0.
    pub fn value(&self, term: Ast) -> Result<u64> {
        const CALL: &str = "Z3_model_eval";
        let c = self.context.raw;
        let mut value = term.0;
        // SAFETY: Z3 writes one term, and keeps it alive until we have taken hold of it.
        unsafe {
            let known = Z3_model_eval(c, self.raw, term.0, true, &mut value);
            self.context.checked(CALL)?;
            if !known {
                return Err(nothing(CALL));
            }
            Z3_inc_ref(c, value);
            let mut number = 0;
            let answer = match Z3_get_bool_value(c, value) {
                TRUE => Ok(1),
                FALSE => Ok(0),
                _ if Z3_get_numeral_uint64(c, value, &mut number) => Ok(number),
                _ => Err(nothing(CALL)),
            };
            Z3_dec_ref(c, value);
            answer
        }
    }
}

impl Drop for Z3Assignment {
    fn drop(&mut self) {
        // SAFETY: the reference was taken by `Solver::model`.
        unsafe { Z3_model_dec_ref(self.context.raw, self.raw) };
    }
}
