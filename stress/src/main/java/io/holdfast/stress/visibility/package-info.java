/// What a thread may see of another one's section before its end, and what `sync` then promises it
/// (P6): broken, model, and the section runtime itself, by each way on which threads hand something
/// on.
///
/// {@link io.holdfast.stress.visibility.ActedUponBeforeItsEnd} is broken, {@link
/// io.holdfast.stress.visibility.ActedUponAfterItsEnd} is the model; the others are the runtime.
/// Those that extend {@link io.holdfast.stress.visibility.OpenSection} are woven by the agent: a
/// section under a monitor gives something up in its middle, and who takes it must depend on it.
/// Where the hooks of the two threads missed each other, `sync` would return while the section is
/// open.
package io.holdfast.stress.visibility;
