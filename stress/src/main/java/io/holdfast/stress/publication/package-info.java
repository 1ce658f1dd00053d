/// What another thread may see of an element that is being offered, in threes: {@link
/// io.holdfast.stress.publication.CountedBeforeItIsThere} is broken, {@link
/// io.holdfast.stress.publication.CountedWhenItIsThere} is the model, {@link
/// io.holdfast.stress.publication.ThroughTheQueue} the queue itself. jcstress runs them; the
/// outcome tables say what each may show.
package io.holdfast.stress.publication;
