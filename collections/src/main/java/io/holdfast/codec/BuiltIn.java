package io.holdfast.codec;

/// A codec of this package: its fingerprint has a structure, by which it adapts to an earlier one.
interface BuiltIn<T> extends Codec<T> {
  /// What [#fingerprint] is the text of.
  Schema schema();

  /// As [#adaptedTo(String)]. What contains no others is as it was stored, or can't be read.
  ///
  /// @param at the way here, for messages
  default Codec<T> adaptedTo(Schema stored, Adaptation at) {
    at.expectSame(stored, schema());
    return this;
  }

  /// What a component of this type is in values that were written before it was there.
  default T absent() {
    return null;
  }

  /// The codec of what is all of a key or a value: its end need not be told.
  default Codec<T> alone() {
    return this;
  }

  @Override
  default String fingerprint() {
    return schema().toString();
  }

  @Override
  default Codec<T> adaptedTo(String stored) {
    return stored.equals(fingerprint()) ? this : adaptedTo(Schema.of(stored), new Adaptation());
  }

  /// The structure of any codec: one of the caller's own has none but its text.
  static Schema schemaOf(Codec<?> codec) {
    return codec instanceof BuiltIn<?> builtIn
        ? builtIn.schema()
        : new Schema.Text(codec.fingerprint());
  }
}
