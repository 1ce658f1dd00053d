/// The programs that the Atlas paper measures (section 6), and those of its tests, written anew:
/// {@link io.holdfast.jmh.atlas.ArrayStores}, {@link io.holdfast.jmh.atlas.TwoLockQueue}, {@link
/// io.holdfast.jmh.atlas.CowArrayList}, {@link io.holdfast.jmh.atlas.Dedup}, {@link
/// io.holdfast.jmh.atlas.LruCache}, {@link io.holdfast.jmh.atlas.CowBTree}, {@link
/// io.holdfast.jmh.atlas.AlarmClock} and {@link io.holdfast.jmh.atlas.SinglyLinkedList}. And the
/// micro-benchmarks and transactions of the thesis: {@link io.holdfast.jmh.atlas.MicroProgram}. And
/// programs with fine locks, for sections that end at releases: {@link
/// io.holdfast.jmh.atlas.HandOverHandList} and {@link io.holdfast.jmh.atlas.LockedSwaps}, by {@link
/// io.holdfast.jmh.atlas.RegionDesign}.
///
/// There is one text of each {@link io.holdfast.jmh.atlas.Program}, over a {@link
/// io.holdfast.jmh.atlas.ProgramMemory}; the {@link io.holdfast.jmh.atlas.ProgramMode} says which
/// one, and with that what the program's data survives. {@link io.holdfast.jmh.atlas.Crew} runs its
/// threads. {@link io.holdfast.jmh.atlas.ClobberMemory} is no mode: it is for programs of one lock,
/// which say what their sections execute.
///
/// The layout of a program's data is in the header of its class, with the invariant that holds
/// between its sections. Each keeps its data in words of 8 bytes; offset 0 is null.
package io.holdfast.jmh.atlas;
