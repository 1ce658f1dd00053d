package io.holdfast.collections.tree.node;

import io.holdfast.codec.Encoded;
import io.holdfast.core.memory.Memory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Function;

/// In which order a tree has its keys. Stateless.
public interface KeyOrder {
  /// Eight bytes as signed numbers.
  KeyOrder WORDS =
      new KeyOrder() {
        @Override
        public int compare(Encoded one, Encoded other) {
          return Long.compare(one.word(), other.word());
        }

        @Override
        public boolean isOfWords() {
          return true;
        }

        @Override
        public void sort(Encoded[] keys) {
          long[] words = Arrays.stream(keys).mapToLong(Encoded::word).sorted().toArray();
          Arrays.setAll(keys, i -> Encoded.of(words[i]));
        }
      };

  /// Bytes as numbers without a sign, the first different one deciding.
  KeyOrder BYTES =
      (one, other) ->
          Arrays.compareUnsigned(one.bytes(), 0, one.length(), other.bytes(), 0, other.length());

  /// One that is not known, because the keys' class is not at hand: for walks that need none.
  KeyOrder UNKNOWN =
      new KeyOrder() {
        @Override
        public int compare(Encoded one, Encoded other) {
          throw new IllegalStateException("the order of the keys is not known");
        }

        @Override
        public boolean isKnown() {
          return false;
        }
      };

  int compare(Encoded one, Encoded other);

  /// Compares a key in a memory with another one.
  ///
  /// @param at where it begins
  /// @param length in bytes
  default int compare(Memory memory, long at, int length, Encoded other) {
    return compare(KeyWords.key(memory, at, length), other);
  }

  default void sort(Encoded[] keys) {
    Arrays.sort(keys, this::compare);
  }

  /// Whether keys can be compared.
  default boolean isKnown() {
    return true;
  }

  /// Whether all keys have eight bytes and are compared as signed numbers.
  default boolean isOfWords() {
    return false;
  }

  /// Whether comparing runs code of the caller's, which may contradict itself.
  default boolean isCallers() {
    return false;
  }

  /// Whether keys are level only if their bytes are the same.
  default boolean isExact() {
    return true;
  }

  /// The order of what keys stand for.
  ///
  /// @param isExact whether it calls them level only if their bytes are the same
  static <K> KeyOrder decoded(
      Function<Encoded, ? extends K> decoder, Comparator<? super K> comparator, boolean isExact) {
    return new KeyOrder() {
      @Override
      public int compare(Encoded one, Encoded other) {
        return comparator.compare(decoder.apply(one), decoder.apply(other));
      }

      @Override
      public boolean isExact() {
        return isExact;
      }
    };
  }
}
