/// The crash explorer: runs operations on a recording memory, builds every image of the region that
/// a crash of the process or a loss of power could have left, opens each with the real recovery,
/// and compares.
///
/// Start with {@link io.holdfast.core.explorer.CrashTest}, or with {@link
/// io.holdfast.core.explorer.CrashExplorer} below it. `ProcessCrash` and `PowerFailure` are the
/// pure part: which sets of stores can be on media together. {@link
/// io.holdfast.core.explorer.RecordingMemory} stands behind the seam at the media; {@link
/// io.holdfast.core.explorer.Baton} lets several threads take scripted turns, and {@link
/// io.holdfast.core.explorer.Interleavings} has them take their turns in every order. Without
/// crashes, {@link io.holdfast.core.explorer.Intruder} has two threads meet at each access of one.
package io.holdfast.core.explorer;
