/// The kill loop: a worker JVM works on a store with several threads, is killed with SIGKILL at a
/// random moment, and what it leaves is opened again and compared with what it had acknowledged.
///
/// Reading order: {@link io.holdfast.stress.kill.Workload} (what is done, and what must hold),
/// {@link io.holdfast.stress.kill.WorkerMain} (the worker), {@link
/// io.holdfast.stress.kill.WorkerProcess} (the worker as its parent sees it), {@link
/// io.holdfast.stress.kill.KillLoop} (the cycle).
///
/// Vocabulary: a *life* is one worker from its start to its kill; a *stage* is what it was at; a
/// *store* in the tables is one region file, which many lives use one after the other.
package io.holdfast.stress.kill;
