package io.holdfast;

import io.holdfast.core.heap.Root;
import java.time.Instant;

/// A collection of a store, as {@link Holdfast#roots} lists it.
///
/// @param name what it is opened by
/// @param kind which collection it is, such as `queue`
/// @param codec the fingerprint of what its elements are encoded by; see {@link
///   io.holdfast.codec.Codec#fingerprint}
/// @param created when it was created, to the millisecond; renaming does not change it
public record NamedRoot(String name, String kind, String codec, Instant created) {
  static NamedRoot of(Root root) {
    return new NamedRoot(
        root.name(), root.kind(), root.fingerprint(), Instant.ofEpochMilli(root.createdMillis()));
  }
}
