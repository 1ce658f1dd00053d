/// What another thread may see of an element that is being offered, of a queue's size, or of an
/// entry of a map that is being changed, in threes: broken, model, actual.
///
/// - {@link io.holdfast.stress.publication.CountedBeforeItIsThere} is broken, {@link
///   io.holdfast.stress.publication.CountedWhenItIsThere} is the model, {@link
///   io.holdfast.stress.publication.ThroughTheQueue}, {@link
///   io.holdfast.stress.publication.EveryLook} and {@link io.holdfast.stress.publication.InOrder}
///   are the queue itself.
/// - {@link io.holdfast.stress.publication.SizeByAddedFirst} is broken, {@link
///   io.holdfast.stress.publication.SizeByGoneFirst} is the model, {@link
///   io.holdfast.stress.publication.SizeOfTheQueue} the queue itself.
/// - {@link io.holdfast.stress.publication.ValueWithoutAVersion} is broken, {@link
///   io.holdfast.stress.publication.ValueWithAVersion} is the model, {@link
///   io.holdfast.stress.publication.ValueInTheMap} the map itself.
/// - {@link io.holdfast.stress.publication.SlotThatIsReused} is broken, {@link
///   io.holdfast.stress.publication.SlotThatIsLookedAtTwice} is the model, {@link
///   io.holdfast.stress.publication.RemovedFromTheMap} the map itself.
/// - {@link io.holdfast.stress.publication.IteratorThatLooksTwice} is broken, {@link
///   io.holdfast.stress.publication.IteratorThatIsAhead} is the model, {@link
///   io.holdfast.stress.publication.IteratorOfTheMap} the map itself.
/// - {@link io.holdfast.stress.publication.ThroughTheMap} is the map itself beside the first broken
///   one and its model.
///
/// jcstress runs them; the outcome tables say what each may show. A run in which a broken one shows
/// nothing has not looked hard enough, and fails.
package io.holdfast.stress.publication;
