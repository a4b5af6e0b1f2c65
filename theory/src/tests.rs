//! Does it do what the papers say? Rules by example here, and in the files below: everything at
//! random against the slow reference implementation, sequential consistency against all
//! interleavings, the protocol.

mod interleave;
mod litmus;
mod protocol;
mod random;

use crate::testing::Expect::*;
use crate::testing::check;

#[test]
fn a_cycle_of_given_orders() {
    check("w1 -rf-> r1 -fr-> w2 -po-> w1", Cycle);
    check("w1 -rf-> r1 -po-> w2 -rf-> r2 -po-> w1", Cycle);
    check("w1 -rf-> r1 -po-> w2 -rf-> r2", Order("w1 < r2"));
    check("w1 -po-> w1", Cycle);
}

#[test]
fn write_serialization() {
    check("w1 -rf-> r1; w2 -po-> r1", Order("w2 < w1"));
    check("w1 -rf-> r1; w2? -po-> r1", NoOrder("w2 < w1"));
    check("w1 -rf?-> r1; w2 -po-> r1", NoOrder("w2 < w1"));
    check("w1 -rf-> r1; w2.y -po-> r1", NoOrder("w2.y < w1"));
}

#[test]
fn from_read() {
    check("w1 -rf-> r1; w1 -po-> w2", Order("r1 < w2"));
    check("w1 -rf-> r1; w1 -po-> w2?", NoOrder("r1 < w2"));
    check("w1 -rf-> r1; w1 -po-> w2.y", NoOrder("r1 < w2.y"));
}

#[test]
fn rules_feed_each_other_across_cells() {
    // x=2 comes before y's read, which comes before y=1, which comes before a read of x=3: so x=2
    // comes before x=3; but the next read of x sees 2 again.
    let text = "w0.y -po-> w1.y -po-> ra -po-> rb; w2 -po-> rc.y; w0.y -rf-> rc.y; \
                w3 -rf-> ra; w2 -rf-> rb";
    check(text, Cycle);
}

#[test]
fn the_opposite_order_is_denied() {
    check("r1 -po-> w1; w1 -rf?-> r1", Denied("w1 -rf?-> r1"));
    check("w1 -po-> w2; w2 -ws?-> w1", Denied("w2 -ws?-> w1"));
    check("w1 -po-> w2; w1 -ws?-> w2", Open("w1 -ws?-> w2"));
}

#[test]
fn what_stands_between_is_denied() {
    check("w1 -po-> w2 -po-> r1; w1 -rf?-> r1", Denied("w1 -rf?-> r1"));
    check("w1 -po-> w2? -po-> r1; w1 -rf-> r1", Denied("w2?"));
    check("w1 -po-> w2? -po-> r1; w1 -rf?-> r1", Open("w2?"));
    check("w1 -po-> w2? -po-> r1; w1 -rf?-> r1", Open("w1 -rf?-> r1"));
    check("w1 -po-> w2.y -po-> r1; w1 -rf?-> r1", Open("w1 -rf?-> r1"));
}

#[test]
fn two_updates_do_not_share_a_source() {
    check("w1 -rf-> u1; w1 -rf?-> u2", Denied("w1 -rf?-> u2"));
    check("w1 -rf-> u1; w1 -rf-> u2", Cycle);
    check("w1 -rf-> u1; w1 -rf-> u2?", Denied("u2?"));
    check("w1 -rf-> u1; w1 -rf?-> u2?", Open("u2?"));
    check("w1 -rf-> u1 -rf-> u2; w1 -rf?-> r3", Open("w1 -rf?-> r3"));
}

#[test]
fn an_update_does_not_stand_before_itself() {
    check("w1 -rf-> u1; w1 -po-> w2", Order("u1 < w2"));
    check("w1 -rf-> u1 -rf-> u2", Order("w1 < u2"));
}
