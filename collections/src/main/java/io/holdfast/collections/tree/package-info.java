/// The sorted map on media: a B+-tree whose leaves are small logs.
///
/// In reading order: `node` (`TreeLayout`: what is where, and the invariants; `KeyOrder`, what
/// sorted means; `Inner` and `Path`, the way to a leaf; `NodeLocks` and `Seqlocks`, which readers
/// look at; `TreeStructure`, splits and merges), `leaf` (`Leaf`, a leaf's content; `LeafLog`, what
/// of it counts; `LeafImage`, a leaf that is made; `LeafWriter`), `rank`, here {@link
/// io.holdfast.collections.tree.EntryTree} (the operations), `repair`.
package io.holdfast.collections.tree;
