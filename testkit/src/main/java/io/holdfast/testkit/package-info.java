/// Tests of what a program keeps in Holdfast: {@link io.holdfast.testkit.CrashTest} shows that it
/// survives every crash, {@link io.holdfast.testkit.InMemoryStore} gives other tests a store.
///
/// Behind a crash test is the crash explorer, {@link io.holdfast.testkit.CrashExplorer}: it runs
/// operations on a {@link io.holdfast.testkit.RecordingMemory}, builds every image of the region
/// that a crash of the process or a loss of power could have left, opens each with the real
/// recovery, and compares. `ProcessCrash` and `PowerFailure` are the pure part: which sets of
/// stores can be on media together. {@link io.holdfast.testkit.Baton} lets several threads take
/// scripted turns, and {@link io.holdfast.testkit.Interleavings} has them take their turns in every
/// order.
package io.holdfast.testkit;
