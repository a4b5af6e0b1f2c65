//! Random programs with the explorer as the judge. (`tests/cases/prove` has programs in pairs.)

mod random;
