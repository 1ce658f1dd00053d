package io.holdfast;

import java.time.Instant;

/// What is stored under the id of a call.
///
/// @param finished `null` of a call that is not
/// @param result `null` if it failed, or has none
/// @param failure `null` if it did not fail
/// @param call the number of one that is not finished
record Kept<R>(Instant finished, R result, String failure, long call) {}
