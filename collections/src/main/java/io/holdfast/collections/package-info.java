/// The collections that a store hands out: {@link io.holdfast.collections.PersistentQueue} and
/// {@link io.holdfast.collections.PersistentHashMap}.
///
/// After the map, in reading order: `GuardedEntries` (encoded entries, as a program may use them),
/// `EncodedForm` (keys and values as bytes), `EntryWalk`, `MapViews`.
package io.holdfast.collections;
