/// Deliberate faults: one ordering at a time is left out of the compiled code of core and
/// collections, and some test has to notice.
///
/// Reading order: {@link io.holdfast.stress.faults.FaultKind} (what is left out), {@link
/// io.holdfast.stress.faults.Site} (where), {@link io.holdfast.stress.faults.FaultWeaver} and
/// {@link io.holdfast.stress.faults.Omission} (how), {@link io.holdfast.stress.faults.FaultAgent}
/// and {@link io.holdfast.stress.faults.FaultWorker} (the JVM that is tried), {@link
/// io.holdfast.stress.faults.FaultTrial} and {@link io.holdfast.stress.faults.FaultRun} (its
/// parent).
///
/// A *fault* is what is left out at a *site*; it is *noticed* if a test fails that passes without
/// it.
package io.holdfast.stress.faults;
