/// The collections that a store hands out: {@link io.holdfast.collections.PersistentQueue}, {@link
/// io.holdfast.collections.PersistentHashMap}, {@link io.holdfast.collections.PersistentTreeMap}
/// and, over the last, {@link io.holdfast.collections.PersistentDelayQueue}. Here is what programs
/// see of them: `java.util`'s interfaces and the way from objects to bytes. What is on media is in
/// `queue`, `map` and `tree`.
///
/// Of the hash map, in reading order: `GuardedEntries` (encoded entries, as a program may use
/// them), `EncodedForm` (keys and values as bytes), `EntryWalk`, `MapViews`. Of the sorted map:
/// `SortedEntries`, `SortedView` (the map and all its views), `SortedWalk`. `CallersCode` keeps the
/// program's code out of a collection in which it runs.
package io.holdfast.collections;
