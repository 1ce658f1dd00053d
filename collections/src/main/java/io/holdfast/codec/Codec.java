package io.holdfast.codec;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How the keys or values of a collection become bytes and come back. A codec has no state of its
/// own: threads share it.
///
/// ```java
/// record Trade(long id, String text, List<String> tags) {}
/// Codec<Trade> trades = Codec.of(Trade.class);
/// Codec<List<Trade>> days = Codec.listOf(trades);
/// ```
///
/// *Equality.* Collections compare and hash the bytes of keys, so two keys are the same if their
/// bytes are. With the codecs of this package they are if the keys are equal, and the other way
/// round, but for arrays, which are compared by their content, also inside of records, and for
/// records that define an `equals` of their own. The table in `docs/codecs.md` says it type by
/// type.
///
/// A codec of your own must keep two rules. `decode` consumes exactly what `encode` wrote, and
/// values that are equal have equal bytes. An element of a list, a set or a map must have at least
/// one byte.
///
/// @param <T> the type of the values
public interface Codec<T> {
  /// A text that names the encoded form, such as `Long` or `record shop.Order(id:long)`. It is
  /// stored with the root and compared when the root is opened again, so it changes exactly when
  /// bytes get another form.
  String fingerprint();

  /// Writes `value`, which is never null, to `out`.
  ///
  /// @throws IllegalArgumentException if the value is too long or nested too deeply
  /// @throws NullPointerException if an element of a collection or an array is null
  /// @throws CodecException if an accessor of a record throws, or the value changes meanwhile
  void encode(T value, EncodedOutput out);

  /// Reads a value that [#encode] wrote.
  ///
  /// @throws CodecException if the bytes are not such a value
  T decode(EncodedInput in);

  /// How many bytes a value takes, if all take the same; 0 if they don't. Those of up to 8 bytes
  /// are a [WordCodec] as well.
  default int fixedSize() {
    return 0;
  }

  /// The codec that reads values which were written under an earlier fingerprint, and writes such
  /// that it can go on reading all of them. Its own fingerprint is to be stored in place of the
  /// earlier one, before the first value is written.
  ///
  /// Built-in codecs allow for records, enums and sealed interfaces that were renamed, and that
  /// gained components, constants or records, in any place. A codec of your own takes no
  /// fingerprint but its own, unless it overrides this.
  ///
  /// @param stored an earlier fingerprint
  /// @throws IllegalArgumentException if stored values can't be read, or can't be told from others;
  ///   the message says which part of them, and how to go on
  default Codec<T> adaptedTo(String stored) {
    if (stored.equals(fingerprint())) {
      return this;
    }
    throw new IllegalArgumentException(
        "values have another form: stored=%s, asked=%s. Open it as what it is, or use another name"
            .formatted(stored, fingerprint()));
  }

  /// The codec of a class: a primitive class or its wrapper, `String`, `UUID`, `BigInteger`,
  /// `BigDecimal`, a value type of `java.time`, `OptionalInt`, `OptionalLong`, `OptionalDouble`, an
  /// enum, an array, a record, or a sealed interface of records. Components of records may also be
  /// a `List`, `Set`, `Map` or `Optional`, and records with type parameters; for these themselves
  /// there are [#listOf], [#setOf], [#mapOf] and [#optionalOf].
  ///
  /// *Null.* A record's component may be null unless it is primitive. Elements of collections and
  /// arrays may not.
  ///
  /// *Records* are rebuilt by their canonical constructor, so what that checks is checked again. An
  /// exception that the constructor or an accessor throws becomes a [CodecException] with it as the
  /// cause; an [Error] stays what it is. A record may contain itself, up to 64 levels deep. The
  /// first call for a record takes milliseconds; the codec is kept with the class.
  ///
  /// *Change.* A component that a record gained since a value was written is zero, false, an empty
  /// collection or `Optional`, or else null; the constructor may make something else of it. A
  /// component at the end that has this value takes no bytes, so that keys that were stored before
  /// are found after: as long as the constructor leaves the component as it is.
  ///
  /// @throws IllegalArgumentException if there is none for the type; the message says why
  static <T> Codec<T> of(Class<T> type) {
    return BuiltInCodecs.of(type);
  }

  /// The codec of a record with type parameters, such as `record Page<E>(int number, List<E> of)`.
  ///
  /// @param arguments the classes that the parameters stand for, in order; the first call with them
  ///   takes milliseconds, and the codec is kept as long as memory is not short
  /// @param <T> the record with these, as in `Codec<Page<String>>`
  /// @throws IllegalArgumentException as above
  static <T> Codec<T> of(Class<? super T> type, List<Class<?>> arguments) {
    return BuiltInCodecs.of(type, arguments);
  }

  /// The codec of lists. What comes back can't be modified.
  static <E> Codec<List<E>> listOf(Codec<E> element) {
    return new ListCodec<>(element);
  }

  /// The codec of sets. The order of elements is not kept. What comes back can't be modified.
  static <E> Codec<Set<E>> setOf(Codec<E> element) {
    return new SetCodec<>(element);
  }

  /// The codec of maps. The order of entries is not kept. What comes back can't be modified.
  static <K, V> Codec<Map<K, V>> mapOf(Codec<K> key, Codec<V> value) {
    return new MapCodec<>(key, value);
  }

  /// The codec of optional values.
  static <E> Codec<Optional<E>> optionalOf(Codec<E> element) {
    return new OptionalCodec<>(element);
  }
}
