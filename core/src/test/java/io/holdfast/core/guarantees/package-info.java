/// The guarantees P1 to P8 (docs/design.md), over every order of small programs of several threads
/// and every crash in each.
///
/// A program is written once, against {@link io.holdfast.core.guarantees.Scene}: it runs in a
/// region, where it is crashed, and in a model ({@link io.holdfast.core.guarantees.ModelScene}),
/// from which {@link io.holdfast.core.guarantees.Reference} finds by brute force what restart code
/// may see. {@link io.holdfast.core.guarantees.Steps} has the words that programs are made of,
/// {@link io.holdfast.core.guarantees.Guarantees} explores them.
package io.holdfast.core.guarantees;
