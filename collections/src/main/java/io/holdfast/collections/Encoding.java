package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.CodecTrust;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import java.util.Arrays;

/// How a collection encodes what it is to store.
///
/// **READABLE-1** What a collection stores can be read by the codec that wrote it: built-in codecs
/// check while they write, and what another codec wrote is read back before the first lock is
/// taken. A key must also have the same bytes when what was read is encoded again, or it would not
/// be found. Test: ReadableTest.
///
/// Thread-safe.
final class Encoding<T> {
  private final Codec<T> codec;
  private final CollectionLabel label;
  private final String part;
  private final boolean isKey;
  private final CodecTrust trust;

  /// @param part of the collection, for messages: `a key`, `a value`, `an element`
  Encoding(Codec<T> codec, CollectionLabel label, String part) {
    this.codec = codec;
    this.label = label;
    this.part = part;
    this.isKey = part.equals("a key");
    this.trust = CodecTrust.of(codec);
  }

  CodecTrust trust() {
    return trust;
  }

  /// The codec for decoding inside of an operation: it must not use the collection (UPDATE-1), and
  /// what it throws says that it can't read the bytes.
  Codec<T> guarded(CallersCode callers) {
    return trust.runsCallersCode()
        ? new GuardedDecoding<>(
            codec,
            callers.place("the codec of its elements must not use it while it decodes one", false))
        : codec;
  }

  /// Encodes a value that is to be stored.
  ///
  /// @throws CodecException if the codec could not read it
  void store(T value, EncodedOutput out) {
    codec.encode(value, out);
    if (trust.needsReadBack()) {
      readBack(out);
    }
  }

  /// Encodes a value that is to be looked for.
  void lookFor(T value, EncodedOutput out) {
    codec.encode(value, out);
  }

  private void readBack(EncodedOutput out) {
    EncodedInput input = new EncodedInput();
    input.reset(out.array(), 0, out.length());
    T read;
    try {
      read = CallersCode.decoded(codec, input);
      input.expectEnd();
    } catch (CodecException e) {
      throw unreadable(out.length(), "its codec can't read what it wrote: " + e.getMessage(), e);
    }
    if (isKey && !hasBytes(read, out)) {
      throw unreadable(
          out.length(), "its codec writes other bytes for an equal key, which is not found", null);
    }
  }

  private boolean hasBytes(T read, EncodedOutput expected) {
    ThreadOutputs outputs = ThreadOutputs.current();
    EncodedOutput again = outputs.enter();
    try {
      codec.encode(read, again);
      return Arrays.equals(
          again.array(), 0, again.length(), expected.array(), 0, expected.length());
    } finally {
      outputs.leave();
    }
  }

  private CodecException unreadable(int length, String why, Throwable cause) {
    return new CodecException(
        "%s: %s was not stored, length=%d bytes, codec=%s: %s. Nothing has changed; mend the codec"
            .formatted(label, part, length, codec.fingerprint(), why),
        cause);
  }
}
