/// What another thread may see of an element that is being offered, of a queue's size, of an entry
/// of a map or a tree that is being changed, of a file that grows and of a store that is closed, in
/// threes. jcstress runs them; the outcome tables say what each may show. A run in which a broken
/// one shows nothing has not looked hard enough, and fails.
///
/// | broken | model | actual |
/// |---|---|---|
/// | `CountedBeforeItIsThere` | `CountedWhenItIsThere` | `ThroughTheQueue`, `EveryLook`, `InOrder`, `ThroughTheMap`, `ThroughTheTree` |
/// | `SizeByAddedFirst` | `SizeByGoneFirst` | `SizeOfTheQueue` |
/// | `ValueWithoutAVersion` | `ValueWithAVersion` | `ValueInTheMap`, `ValueInTheTree` |
/// | `SlotThatIsReused` | `SlotThatIsLookedAtTwice` | `RemovedFromTheMap` |
/// | `LeafThatIsReused` | `LeafThatIsLookedForAgain` | `RemovedFromTheTree` |
/// | `EntryBeforeItsFence` | `EntryAfterItsFence` | (the explorer: durability is not seen here) |
/// | `ScanBesideASplit` | `ScanThatLooksAgain` | `ScanOfTheTree` |
/// | `IteratorThatLooksTwice` | `IteratorThatIsAhead` | `IteratorOfTheQueue`, `IteratorOfTheMap`, `IteratorOfTheTree` |
/// | `BucketThatWasSplit` | `BucketThatIsLookedForAgain` | `KeysOfAMapThatGrows` |
/// | `LengthBeforeItsMapping` | `MappingBeforeItsLength` | `ElementThatTheFileGrowsFor` |
/// | `UsedAfterItsEnd` | `UsedWhileItIsHeld` | `StoreThatIsClosed` |
/// | `BlockBeforeItsBytes` | `BlockAfterItsBytes` | `BlockOfTheHeap` |
/// | `ValidBeforeItsWords` | `ValidAfterItsWords` | `EntryOfTheLog` |
package io.holdfast.stress.publication;
