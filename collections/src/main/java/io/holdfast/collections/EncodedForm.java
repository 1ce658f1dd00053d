package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.codec.WordCodec;
import io.holdfast.collections.map.Encoded;
import java.util.Arrays;
import java.util.Objects;

/// How a map's keys, or its values, become {@link Encoded} and come back. Values of a codec of
/// eight bytes go through a word, without a buffer in between.
///
/// Thread-safe.
final class EncodedForm<T> {
  private static final ThreadLocal<Outputs> OUTPUTS = ThreadLocal.withInitial(Outputs::new);

  private final String what;
  private final Codec<T> codec;

  /// `null` unless values are words of eight bytes.
  private final WordCodec<T> words;

  /// A thread's outputs, one for each level of encoding: a codec may look something up in a map,
  /// and that encodes too.
  private static final class Outputs {
    private EncodedOutput[] outputs = {new EncodedOutput()};
    private int level;

    EncodedOutput enter() {
      if (level == outputs.length) {
        outputs = Arrays.copyOf(outputs, level + 1);
        outputs[level] = new EncodedOutput();
      }
      EncodedOutput output = outputs[level++];
      output.reset();
      return output;
    }

    void leave() {
      level--;
    }
  }

  /// @param what whose form it is, for messages: region and part
  EncodedForm(Codec<T> codec, String what) {
    this.what = what;
    this.codec = codec;
    this.words = codec instanceof WordCodec<T> word && word.fixedSize() == Long.BYTES ? word : null;
  }

  Encoded encoded(T value) {
    Objects.requireNonNull(value);
    return words != null ? Encoded.of(words.toWord(value)) : throughBytes(value);
  }

  private Encoded throughBytes(T value) {
    Outputs outputs = OUTPUTS.get();
    EncodedOutput output = outputs.enter();
    try {
      codec.encode(value, output);
      return Encoded.of(Arrays.copyOf(output.array(), output.length()));
    } finally {
      outputs.leave();
    }
  }

  /// The encoded form of what may be of another class.
  ///
  /// @return `null` if it is: then it equals nothing in the map
  @SuppressWarnings("unchecked") // the codec's own casts tell
  Encoded encodedOrNull(Object value) {
    Objects.requireNonNull(value);
    try {
      return encoded((T) value);
    } catch (ClassCastException e) {
      return null;
    }
  }

  /// The value that a map has for a key, `null` also if that is of another class.
  @SuppressWarnings("unchecked") // as above
  Encoded lookUp(Object key, GuardedEntries entries) {
    if (words == null) {
      Encoded sought = encodedOrNull(key);
      return sought == null ? null : entries.get(sought);
    }
    Objects.requireNonNull(key);
    long word;
    try {
      word = words.toWord((T) key);
    } catch (ClassCastException e) {
      return null;
    }
    return entries.get(word);
  }

  /// @throws CodecException if the bytes are not what the codec writes; it names the region
  T decoded(Encoded encoded) {
    if (words != null && encoded.length() == Long.BYTES) {
      return decoded(encoded.word());
    }
    try {
      return throughBytes(encoded);
    } catch (CodecException e) {
      throw undecodable(encoded.length(), e);
    }
  }

  /// Whether {@link #decoded(long)} can be asked.
  boolean isOfWords() {
    return words != null;
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
        "%s can't be decoded: length=%d bytes: %s".formatted(what, length, cause.getMessage()),
        cause);
  }

  private T throughBytes(Encoded encoded) {
    EncodedInput input = new EncodedInput();
    input.reset(encoded.bytes(), 0, encoded.length());
    T value = codec.decode(input);
    input.expectEnd();
    if (value == null) {
      throw new CodecException("The codec %s has decoded null".formatted(codec.fingerprint()));
    }
    return value;
  }
}
