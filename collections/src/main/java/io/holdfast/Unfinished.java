package io.holdfast;

import java.time.Instant;

/// A call that was accepted and is not finished; see {@link Holdfast#unfinished}.
///
/// @param name of its {@link Resumable}
/// @param id `null` if the caller gave none
/// @param argument as it can be read without its class: a record is a `Map` from its components'
///   names to values, an enum's constant is its name, an array is a `List`, but for `byte[]`
/// @param accepted to the millisecond
public record Unfinished(String name, String id, Object argument, Instant accepted) {}
