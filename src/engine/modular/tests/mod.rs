//! Programs that the analysis must prove, what it may not, and random programs with the explorer as
//! the judge. (`tests/cases/counted` has more, in pairs.)

mod programs;
mod random;
