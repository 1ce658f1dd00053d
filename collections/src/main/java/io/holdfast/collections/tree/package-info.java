/// The sorted map on media: a B+-tree whose leaves are small logs.
///
/// Read in this order: `TreeLayout` (what is where, and the invariants), `Leaf` and `Record` (a
/// leaf's content), `LeafLog` (what of it counts), `LeafImage` (a leaf that is made), `Inner` and
/// `Descent` (the way to a leaf), `Sequences` and `LeafLocks` (who waits for whom), `TreeStructure`
/// (splits, merges), `EntryTree` (the operations), `TreeValidator`. `KeyOrder` says what sorted
/// means.
package io.holdfast.collections.tree;
