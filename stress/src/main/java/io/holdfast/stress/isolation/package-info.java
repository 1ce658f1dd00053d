/// What transactions and sections that hold changes back may do to each other, in threes: without a
/// transaction, the model, and transactions over a map and a sorted map in a file. The outcome
/// tables say what each may show.
///
/// | broken | model | actual |
/// |---|---|---|
/// | `SkewWithoutATransaction` | `SkewUnderALock` | `WriteSkew` |
/// | `PhantomWithoutATransaction` | `PhantomUnderALock` | `Phantom` |
/// | `ZombieWithoutATransaction` | `ZombieUnderALock` | `Zombie` |
/// | `UpdateInTwoOperations` | `UpdateUnderALock` | `LostUpdate`, `LostUpdateOfASingleOperation`, `LostUpdateOfASection`, `LostUpdateBesideASection` |
package io.holdfast.stress.isolation;
