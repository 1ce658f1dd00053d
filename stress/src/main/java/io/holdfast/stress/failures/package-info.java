/// Failures of the JVM and of the file system, injected into Holdfast's own compiled code at the
/// N-th place, for N = 1, 2, 3, …
///
/// Reading order: {@link io.holdfast.stress.failures.Injection} (what fails, and for how long),
/// {@link io.holdfast.stress.failures.FailureWeaver} (where), {@link
/// io.holdfast.stress.failures.Trap} (what woven code calls), {@link
/// io.holdfast.stress.failures.Scene} and {@link io.holdfast.stress.failures.Scenes} (the
/// operations by name, whose steps are in the classes `…Scenes` beside it), {@link
/// io.holdfast.stress.failures.Trial} (one N, and all that must hold after it), {@link
/// io.holdfast.stress.failures.FailureWorker} (the JVM that is tried), {@link
/// io.holdfast.stress.failures.FailureRun} (its parent).
package io.holdfast.stress.failures;
