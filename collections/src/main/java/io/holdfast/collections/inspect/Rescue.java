package io.holdfast.collections.inspect;

/// Takes what can be read of a damaged collection.
public interface Rescue {
  /// An element, or an entry, that was read.
  ///
  /// @param key empty for an element
  void found(byte[] key, byte[] value);

  /// Something that is lost, or may be.
  void lost(Trail where, String what);
}
