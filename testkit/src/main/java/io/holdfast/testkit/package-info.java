/// Tests of what a program keeps in Holdfast: {@link io.holdfast.testkit.CrashTest} shows that it
/// survives every crash, {@link io.holdfast.testkit.InMemoryStore} gives other tests a store.
///
/// Behind a crash test is the crash explorer, {@link io.holdfast.testkit.CrashExplorer}: it runs
/// operations on a {@link io.holdfast.testkit.RecordingMemory}, builds every image of the region
/// that a crash of the process or a loss of power could have left, opens each with the real
/// recovery, and compares. `ProcessCrash` and `PowerFailure` are the pure part: which sets of
/// stores can be on media together. `DiskFailure` does the same body over a store on a disk that
/// records its calls, and opens what a cut of the power in a call or a kill leaves of the files.
/// {@link io.holdfast.testkit.Baton} lets several threads take scripted turns, and {@link
/// io.holdfast.testkit.Interleavings} has them take their turns in every order.
///
/// Disks for tests are {@link io.holdfast.testkit.ForwardingDisk}s: {@link
/// io.holdfast.testkit.CutDisk} cuts the power in each call, {@link io.holdfast.testkit.TracedDisk}
/// writes the calls down, and {@link io.holdfast.testkit.PowerCuts} cuts there.
package io.holdfast.testkit;
