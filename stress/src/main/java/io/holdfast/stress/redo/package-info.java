/// What a cut of a region on a disk may have, in threes (REDO-1, REDO-2, CUT-1): a store that was
/// seen is in it, and what happened before what is in it; and no store is in no cut.
///
/// | broken | model | actual |
/// |---|---|---|
/// | `SeenBeforeItsRecord` | `SeenAfterItsRecord` | `SeenInARegion` |
/// | `EpochBeforeItsTicket`, `TicketsBeforeTheEpoch` | `EpochAfterItsTicket` | `CutOfARegion` |
///
/// One of the two threads leads. That a third one hands something on between two that store is
/// shown by `RedoStreamsTest`.
package io.holdfast.stress.redo;
