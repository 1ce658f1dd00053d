package io.holdfast;

import java.time.Instant;

/// A call of a resumable that is not finished, as it is stored under its number.
///
/// @param id `null` if the caller gave none
/// @param version of the function that it was accepted for
record Call<A>(String id, A argument, Instant accepted, int version) {}
