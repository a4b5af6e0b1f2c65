use super::*;

/// Thread, then `w`/`r` (plain), `W`/`R` (atomic, relaxed), `L`/`A` (release store, acquire
/// load), `U` (acquire-release update), `B` (a user's atomic block that writes), `F`/`G` (release,
/// acquire fence), `s`pawn, `j`oin, `e`nd; the number names the cell or thread.
fn check(script: &str) -> (bool, u128) {
    let mut m = RaceMonitor::new();
    for word in script.split_whitespace() {
        let bytes = word.as_bytes();
        let thread = Tid(u32::from(bytes[0] - b'0'));
        let n = bytes.get(2).map_or(0, |b| u32::from(b - b'0'));
        let access = |write, order| {
            let plain = Access::whole(ObjKey(n), 4, At::NOWHERE);
            RaceEvent::Access(Access { write, order, ..plain })
        };
        let event = match bytes[1] {
            b'w' => access(true, MemoryOrder::Plain),
            b'r' => access(false, MemoryOrder::Plain),
            b'W' => access(true, MemoryOrder::Relaxed),
            b'R' => access(false, MemoryOrder::Relaxed),
            b'L' => access(true, MemoryOrder::Release),
            b'A' => access(false, MemoryOrder::Acquire),
            b'U' => {
                m.pending.push((thread, access(false, MemoryOrder::Acquire)));
                access(true, MemoryOrder::Release)
            }
            b'B' => {
                m.user_block = Some(thread);
                let plain = Access::whole(ObjKey(n), 4, At::NOWHERE);
                RaceEvent::Access(Access { user_atomic: true, ..plain })
            }
            b'F' => RaceEvent::Fence(MemoryOrder::Release),
            b'G' => RaceEvent::Fence(MemoryOrder::Acquire),
            b's' => RaceEvent::Spawn(Tid(n)),
            b'j' => RaceEvent::Join(Tid(n)),
            _ => RaceEvent::End,
        };
        m.note(thread, event);
    }
    (m.race().is_some(), m.digest())
}

fn races(script: &str) -> bool {
    check(script).0
}

#[test]
fn start_and_join_order() {
    assert!(!races("1w0 1s2 2w0 2e 1j2 1w0"));
    assert!(races("1s2 1w0 2w0"));
    assert!(races("1s2 2w0 1r0"));
    assert!(!races("1s2 2r0 1r0"));
}

#[test]
fn atomics_do_not_race_with_each_other_but_with_plain_ones() {
    assert!(!races("1s2 1W0 2W0 2R0"));
    assert!(races("1s2 1W0 2w0"));
    assert!(races("1s2 1w0 1W0 2R0"));
}

#[test]
fn message_passing_needs_release_and_acquire() {
    assert!(!races("1s2 1w0 1L1 2A1 2r0"));
    assert!(races("1s2 1w0 1W1 2A1 2r0"));
    assert!(races("1s2 1w0 1L1 2R1 2r0"));
    assert!(!races("1s2 1w0 1F 1W1 2R1 2G 2r0"));
    assert!(races("1s2 1w0 1W1 1F 2R1 2G 2r0"));
    assert!(races("1s2 1w0 1F 1W1 2G 2R1 2r0"));
}

#[test]
fn release_sequences_go_on_through_updates_and_own_stores() {
    assert!(!races("1s2 1s3 1w0 1L1 2U1 3A1 3r0"));
    assert!(races("1s2 1s3 1w0 1L1 2W1 3A1 3r0"));
    assert!(!races("1s2 1w0 1L1 1W1 2A1 2r0"));
}

#[test]
fn locks_order_critical_sections() {
    assert!(!races("1s2 1U1 1w0 1L1 2U1 2w0 2L1 1U1 1w0 1L1"));
    assert!(races("1s2 1U1 1w0 1L1 2w0"));
}

#[test]
fn blocks_of_the_user_synchronise_like_one_lock() {
    // They overwrite and do not read, or touch different cells.
    assert!(!races("1s2 1w0 1B1 2B1 2r0"));
    assert!(!races("1s2 1w0 1B1 2B2 2r0"));
    assert!(!races("1s2 1B0 2B0 2r0"));
    // Not what comes after a block, nor who has none.
    assert!(races("1s2 1B1 1w0 2B1 2r0"));
    assert!(races("1s2 1w0 1B1 2r0"));
    assert!(races("1s2 1B0 2W0 2r0"));
}

#[test]
fn a_lock_loop_comes_back_to_the_same_digest() {
    let round = "1U1 1w0 1L1 2U1 2w0 2L1 ";
    let after = |n: usize| check(&format!("1s2 {}", round.repeat(n))).1;
    assert_eq!(after(2), after(3));
    let blocks = |n: usize| check(&format!("1s2 {}", "1B1 1w0 1B1 2B1 2w0 2B1 ".repeat(n))).1;
    assert_eq!(blocks(2), blocks(3));
    assert_ne!(after(2), check(&format!("1s2 {}1U1", round.repeat(2))).1);
}

#[test]
fn overlap_decides() {
    let mut m = RaceMonitor::new();
    m.note(Tid(1), RaceEvent::Spawn(Tid(2)));
    let at = |offset, size| {
        RaceEvent::Access(Access { offset, ..Access::whole(ObjKey(0), size, At::NOWHERE) })
    };
    m.note(Tid(1), at(0, 4));
    m.note(Tid(2), at(4, 4));
    assert!(m.race().is_none());
    m.note(Tid(2), at(3, 1));
    let race = m.race().unwrap();
    assert_eq!((race.first.0, race.second.1.offset), (Tid(1), 3));
}

#[test]
fn a_freed_object_races_with_an_unordered_read() {
    let mut m = RaceMonitor::new();
    m.note(Tid(1), RaceEvent::Spawn(Tid(2)));
    let read = Access { write: false, offset: 4, ..Access::whole(ObjKey(9), 4, At::NOWHERE) };
    m.note(Tid(1), RaceEvent::Access(read));
    m.note(Tid(2), RaceEvent::Freed { object: ObjKey(9), size: 8, at: At::NOWHERE });
    assert!(m.race().is_some());
}

#[test]
fn a_block_of_the_user_is_one_operation() {
    let plain = |n| Access::whole(ObjKey(n), 4, At::NOWHERE);
    let run = |inside: &[Access], after: &[Access]| {
        let mut m = RaceMonitor::new();
        m.note(Tid(1), RaceEvent::Spawn(Tid(2)));
        m.note(Tid(2), RaceEvent::Access(plain(7)));
        m.note(Tid(2), RaceEvent::Access(Access { order: MemoryOrder::SeqCst, ..plain(8) }));
        m.atomic_begin(Tid(1), AtomicKind::User, Span::NONE);
        for access in inside {
            m.note(Tid(1), RaceEvent::Access(Access { user_atomic: true, ..*access }));
        }
        m.atomic_end(Tid(1), Span::NONE);
        after.iter().for_each(|access| m.note(Tid(2), RaceEvent::Access(*access)));
        m.race().is_some()
    };
    let read = |n| Access { write: false, ..plain(n) };
    let acquire = |n| Access { order: MemoryOrder::SeqCst, ..read(n) };
    // Who sees one of its writes sees all of them.
    assert!(!run(&[plain(0), plain(1)], &[acquire(0), read(1)]));
    assert!(run(&[plain(0), plain(1)], &[read(1)]));
    // It knows from the start what it reads in the end, unless that is its own.
    assert!(!run(&[plain(7), read(8)], &[]));
    assert!(run(&[plain(8), read(8), plain(7)], &[]));
}

#[test]
fn an_undone_block_leaves_nothing() {
    let mut m = RaceMonitor::new();
    m.note(Tid(1), RaceEvent::Spawn(Tid(2)));
    m.note(Tid(1), RaceEvent::Access(Access::whole(ObjKey(0), 4, At::NOWHERE)));
    m.atomic_begin(Tid(2), AtomicKind::Internal, Span::NONE);
    m.note(Tid(2), RaceEvent::Access(Access::whole(ObjKey(0), 4, At::NOWHERE)));
    m.undone(Tid(2));
    assert!(m.race().is_none());
}
