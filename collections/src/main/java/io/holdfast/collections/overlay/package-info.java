/// What sections and transactions hold back of collections: values of keys, added elements, claims.
///
/// In reading order: `HeldBack` (of a thread: one {@link CollectionOverlay} for each collection
/// that it changes), `SectionOverlay` and `TransactionOverlay` (its two kinds), `KeyedOverlay` and
/// `KeyedTransaction` (of a map or sorted map), `Layers` (a section's own values), `Claims` and
/// `Layer` (what others see of them), `KeyedStore` (the map itself, in place).
///
/// | word | meaning |
/// |---|---|
/// | overlay | what a thread holds back of one collection |
/// | layer | the value that an open section will give a key |
/// | claimed | of a key: it has a layer. Of a queue's element: an open section has taken it |
/// | covered | of a layer: a value that was made from it is in place, and it will not be stored |
/// | part | what one lock guards: a stripe, the leaves of a lock, an end of a queue |
package io.holdfast.collections.overlay;
