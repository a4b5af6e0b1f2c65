use super::*;
use ir::BlockId;

fn object(index: u32, size: u64) -> Object {
    let birth = Birth::Heap(ThreadId(0), ProgramPoint { block: BlockId(0), index });
    Object::new(birth, format!("o{index}"), size, Contents::Zero)
}

/// Offsets and lengths of the cells of an access.
fn shape(space: &Space, cells: &[CellKey]) -> Vec<(u64, u8)> {
    cells.iter().map(|&c| (space.cell(c).offset, space.cell(c).bytes)).collect()
}

#[test]
fn objects_do_not_touch() {
    let mut space = Space { next: 0x1000, ..Space::default() };
    let ids: Vec<ObjectId> =
        [0, 1, 16, 100, 7].iter().zip(0..).map(|(&n, i)| space.add(object(i, n))).collect();
    for pair in ids.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|id| space.get(id));
        // One past the end of one is before the next.
        assert!(a.base + a.size < b.base && b.base % ALIGN == 0);
    }
    for &id in &ids {
        let (first, last) = (space.address(id, 0), space.address(id, space.get(id).size as i64));
        for address in [first, last] {
            assert_eq!(space.classify(address).objects[0].0, id);
        }
        assert!(space.classify(last + 1).objects.is_empty());
        assert_eq!(space.find(space.get(id).birth), Some(id));
    }
    assert!(space.classify(0).objects.is_empty() && space.classify(0xfff).objects.is_empty());
}

#[test]
fn the_same_access_has_the_same_cells() {
    let mut space = Space::default();
    let id = space.add(object(0, 16));
    let first = space.cells_at(id, 4, 4).expect("a cell");
    assert_eq!(shape(&space, &first), [(4, 4)]);
    assert!(space.take_changed());
    assert_eq!(space.cells_at(id, 4, 4), Some(first));
    assert!(!space.take_changed());
}

#[test]
fn a_larger_access_has_the_cells_inside_and_the_gaps() {
    let mut space = Space::default();
    let id = space.add(object(0, 16));
    space.cells_at(id, 2, 2).expect("a cell");
    space.cells_at(id, 5, 1).expect("a cell");
    let cells = space.cells_at(id, 0, 8).expect("no overlap");
    assert_eq!(shape(&space, &cells), [(0, 2), (2, 2), (4, 1), (5, 1), (6, 2)]);
}

/// An access that overlaps a cell partly fails once; then all boundaries count, and every access
/// comes to an end.
#[test]
fn partial_overlaps_cut() {
    let accesses = [(0u64, 4u64), (2, 4), (3, 1), (0, 8), (5, 2)];
    let mut space = Space::default();
    let id = space.add(object(0, 16));
    let mut walks = 0;
    loop {
        space.take_changed();
        let all: Vec<_> = accesses.iter().map(|&(at, n)| space.cells_at(id, at, n)).collect();
        if !space.take_changed() {
            for (cells, (at, n)) in all.into_iter().zip(accesses) {
                let shape = shape(&space, &cells.expect("no cut, no change"));
                assert_eq!(shape.iter().map(|&(_, n)| u64::from(n)).sum::<u64>(), n);
                assert_eq!(shape[0].0, at);
                assert!(shape.windows(2).all(|w| w[0].0 + u64::from(w[0].1) == w[1].0));
            }
            break;
        }
        walks += 1;
        assert!(walks < 12);
    }
    let cells = space.cells_at(id, 0, 8).expect("settled");
    assert_eq!(shape(&space, &cells), [(0, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1)]);
}

#[test]
fn classes_follow_the_users() {
    let mut space = Space::default();
    let id = space.add(object(0, 16));
    let cell = space.new_cell(id, 0, 4);
    let [a, b, c] = [0, 1, 2].map(ThreadId);
    assert_eq!(space.touch(cell, a, false), Class::ReadOnly);
    assert_eq!(space.touch(cell, b, false), Class::ReadOnly);
    assert!(!space.has_events(cell));
    assert_eq!(space.touch(cell, a, true), Class::SingleWriter);
    assert!(space.has_events(cell));
    assert_eq!((space.class(cell, b), space.writer(cell)), (Class::Shared, Some(a)));
    assert_eq!(space.touch(cell, c, true), Class::Shared);
    assert_eq!((space.class(cell, a), space.writer(cell)), (Class::Shared, None));
    // Only one thread.
    let own = space.new_cell(id, 4, 4);
    assert_eq!(space.touch(own, b, true), Class::ThreadLocal);
    assert_eq!(space.touch(own, b, false), Class::ThreadLocal);
    assert!(!space.has_events(own));
    assert_eq!(space.touch(own, a, false), Class::Shared);
    assert_eq!(space.class(own, b), Class::SingleWriter);
    // There is no read.
    let unread = space.new_cell(id, 8, 4);
    space.touch(unread, a, true);
    assert_eq!(space.touch(unread, b, true), Class::ThreadLocal);
    assert!(!space.has_events(unread));
    space.take_changed();
    space.touch(unread, b, true);
    assert!(!space.take_changed());
}

#[test]
fn late_writes_only_grow() {
    let mut space = Space::default();
    let id = space.add(object(0, 16));
    let cell = space.new_cell(id, 0, 4);
    for (started, late) in [(0, 0), (2, 2), (1, 2)] {
        space.written_after(cell, started);
        assert_eq!(space.cell(cell).late, late);
    }
}

#[test]
fn an_image_has_addresses_in_it() {
    let text = "int x; struct { char c; int *p; short s; } o = { 1, &x + 1, -2 }; int main(void) { return 0; }";
    let program = crate::testing::source::program(text, ir::types::Machine::Lp64);
    let static_object = program.objects.iter().find(|o| o.name == "o").expect("o");
    let bytes = image(&program, static_object, |operand| match operand {
        Operand::Object { offset, .. } => 0x1122_3344_5566_7700 + *offset as u64,
        _ => 0,
    });
    let mut expected = vec![1, 0, 0, 0, 0, 0, 0, 0];
    expected.extend(0x1122_3344_5566_7704u64.to_le_bytes());
    expected.extend([0xfe, 0xff]);
    assert_eq!(bytes[..18], expected);
}
