//! Programs that the analysis must prove, and their twins that it must not.
