/// What another thread may see of an element that is being offered, or of a queue's size, in
/// threes: broken, model, actual.
///
/// - {@link io.holdfast.stress.publication.CountedBeforeItIsThere} is broken, {@link
///   io.holdfast.stress.publication.CountedWhenItIsThere} is the model, {@link
///   io.holdfast.stress.publication.ThroughTheQueue}, {@link
///   io.holdfast.stress.publication.EveryLook} and {@link io.holdfast.stress.publication.InOrder}
///   are the queue itself.
/// - {@link io.holdfast.stress.publication.SizeByAddedFirst} is broken, {@link
///   io.holdfast.stress.publication.SizeByGoneFirst} is the model, {@link
///   io.holdfast.stress.publication.SizeOfTheQueue} the queue itself.
///
/// jcstress runs them; the outcome tables say what each may show. A run in which a broken one shows
/// nothing has not looked hard enough, and fails.
package io.holdfast.stress.publication;
