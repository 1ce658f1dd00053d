package io.holdfast.core.heap;

/// A named root.
///
/// @param kind which collection it is
/// @param fingerprint what its elements are encoded by
/// @param firstBlock where the collection begins
/// @param createdMillis when it was created, in milliseconds since 1970
public record Root(
    String name, String kind, String fingerprint, long firstBlock, long createdMillis) {
  Root named(String newName) {
    return new Root(newName, kind, fingerprint, firstBlock, createdMillis);
  }

  Root of(String newFingerprint) {
    return new Root(name, kind, newFingerprint, firstBlock, createdMillis);
  }
}
