package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.CodecTrust;
import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.codec.WordCodec;
import java.util.Objects;

/// How a map's keys, or its values, become {@link Encoded} and come back. Values of a codec of
/// eight bytes go through a word, without a buffer in between.
///
/// Thread-safe.
final class EncodedForm<T> {
  private final CollectionLabel label;
  private final String part;
  private final Codec<T> codec;
  private final Encoding<T> encoding;

  /// `null` unless values are words of eight bytes, by a codec that is known to read each.
  private final WordCodec<T> words;

  /// @param part of the map, for messages: `a key` or `a value`
  EncodedForm(Codec<T> codec, CollectionLabel label, String part) {
    this.label = label;
    this.part = part;
    this.codec = codec;
    this.encoding = new Encoding<>(codec, label, part);
    boolean isWord = codec instanceof WordCodec<T> word && word.fixedSize() == Long.BYTES;
    this.words = isWord && !trust().needsReadBack() ? (WordCodec<T>) codec : null;
  }

  CodecTrust trust() {
    return encoding.trust();
  }

  /// The encoded form of what is to be stored.
  ///
  /// @throws CodecException if the codec could not read it (READABLE-1)
  Encoded encoded(T value) {
    return kept(value, true);
  }

  /// The same in a buffer of the thread's, which is given back after the operation: an entry that
  /// is stored at once needs no array of its own.
  Encoded lent(T value, ThreadOutputs outputs) {
    return lent(value, outputs, true);
  }

  /// The encoded form of what is looked for.
  Encoded sought(T value) {
    return kept(value, false);
  }

  private Encoded kept(T value, boolean isStored) {
    Objects.requireNonNull(value);
    if (words != null) {
      return Encoded.of(words.toWord(value));
    }
    ThreadOutputs outputs = ThreadOutputs.current();
    int level = outputs.level();
    try {
      return lent(value, outputs, isStored).own();
    } finally {
      outputs.backTo(level);
    }
  }

  private Encoded lent(T value, ThreadOutputs outputs, boolean isStored) {
    Objects.requireNonNull(value);
    if (words != null) {
      return Encoded.of(words.toWord(value));
    }
    EncodedOutput output = outputs.enter();
    if (isStored) {
      encoding.store(value, output);
    } else {
      encoding.lookFor(value, output);
    }
    return Encoded.of(output.array(), output.length());
  }

  /// The encoded form of what is looked for, and may be of another class.
  ///
  /// @return `null` if it is: then it equals nothing in the map
  @SuppressWarnings("unchecked") // the codec's own casts tell
  Encoded encodedOrNull(Object value) {
    Objects.requireNonNull(value);
    try {
      return sought((T) value);
    } catch (ClassCastException e) {
      return null;
    }
  }

  /// The value that a map has for a key, `null` also if that is of another class.
  <V> V lookUp(Object key, GuardedEntries entries, EncodedForm<V> values) {
    Objects.requireNonNull(key);
    return words != null && values.words != null
        ? lookUpWord(key, entries, values)
        : lookUpBytes(key, entries, values);
  }

  @SuppressWarnings("unchecked") // as above
  private <V> V lookUpWord(Object key, GuardedEntries entries, EncodedForm<V> values) {
    long word;
    try {
      word = words.toWord((T) key);
    } catch (ClassCastException e) {
      return null;
    }
    return entries.get(word, values);
  }

  private <V> V lookUpBytes(Object key, GuardedEntries entries, EncodedForm<V> values) {
    ThreadOutputs outputs = ThreadOutputs.current();
    int level = outputs.level();
    try {
      Encoded sought = lentOrNull(key, outputs);
      return sought == null ? null : entries.get(sought, values);
    } finally {
      outputs.backTo(level);
    }
  }

  @SuppressWarnings("unchecked") // as above
  private Encoded lentOrNull(Object key, ThreadOutputs outputs) {
    try {
      return lent((T) key, outputs, false);
    } catch (ClassCastException e) {
      return null;
    }
  }

  /// @throws CodecException if the bytes are not what the codec writes; it names the map
  T decoded(Encoded encoded) {
    return decoded(encoded, false);
  }

  T decodedOrNull(Encoded encoded) {
    return decodedOrNull(encoded, false);
  }

  /// @param isOwn whether nobody else has the bytes: they may be what is returned
  T decodedOrNull(Encoded encoded, boolean isOwn) {
    return encoded == null ? null : decoded(encoded, isOwn);
  }

  private T decoded(Encoded encoded, boolean isOwn) {
    if (words != null && encoded.length() == Long.BYTES) {
      return decoded(encoded.word());
    }
    try {
      return throughBytes(encoded, isOwn);
    } catch (CodecException e) {
      throw undecodable(encoded.length(), e);
    }
  }

  boolean canDecode(Encoded encoded) {
    try {
      decoded(encoded);
      return true;
    } catch (CodecException e) {
      return false;
    }
  }

  /// Whether {@link #decoded(long)} can be asked.
  boolean isOfWords() {
    return words != null;
  }

  /// The word of what is to be stored.
  long word(T value) {
    return words.toWord(Objects.requireNonNull(value));
  }

  /// What a word stands for.
  ///
  /// @throws CodecException as for bytes
  T decoded(long word) {
    try {
      return words.fromWord(word);
    } catch (CodecException e) {
      throw undecodable(Long.BYTES, e);
    }
  }

  private CodecException undecodable(int length, CodecException cause) {
    return new CodecException(
        "%s: %s can't be decoded: length=%d bytes: %s. Others can be used; removeUnreadable moves such entries out"
            .formatted(label, part, length, cause.getMessage()),
        cause);
  }

  private T throughBytes(Encoded encoded, boolean isOwn) {
    EncodedInput input = new EncodedInput();
    if (isOwn) {
      input.resetToOwn(encoded.bytes(), encoded.length());
    } else {
      input.reset(encoded.bytes(), 0, encoded.length());
    }
    T value = CallersCode.decoded(codec, input);
    input.expectEnd();
    return value;
  }
}
