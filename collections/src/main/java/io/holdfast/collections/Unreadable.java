package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/// Takes those entries out of a map whose key or value its codecs can't read.
///
/// Confined to a thread.
final class Unreadable {
  private final EncodedForm<?> keys;
  private final EncodedForm<?> values;
  private final BiConsumer<Encoded, UnaryOperator<Encoded>> computing;
  private final BiConsumer<byte[], byte[]> taken;
  private long removed;

  /// @param computing replaces the value of a key by what a function makes of it, under a lock
  /// @param taken the caller's, which is given the bytes of key and value
  Unreadable(
      EncodedForm<?> keys,
      EncodedForm<?> values,
      BiConsumer<Encoded, UnaryOperator<Encoded>> computing,
      BiConsumer<byte[], byte[]> taken) {
    this.keys = keys;
    this.values = values;
    this.computing = computing;
    this.taken = Objects.requireNonNull(taken, "taken");
  }

  /// Removes an entry if it is unreadable, and has not changed since it was found.
  void visit(Encoded key, Encoded value) {
    if (keys.canDecode(key) && values.canDecode(value)) {
      return;
    }
    boolean[] isRemoved = new boolean[1];
    computing.accept(
        key,
        there -> {
          if (!value.equals(there)) {
            return there;
          }
          taken.accept(key.copy(), value.copy());
          isRemoved[0] = true;
          return null;
        });
    removed += isRemoved[0] ? 1 : 0;
  }

  /// How many were removed.
  long removed() {
    return removed;
  }
}
