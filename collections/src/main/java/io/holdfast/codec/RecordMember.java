package io.holdfast.codec;

import java.lang.reflect.RecordComponent;

/// A component of a record, as it is written and read.
///
/// @param codec null if the component is primitive
record RecordMember(RecordComponent component, Codec<?> codec) {
  static RecordMember of(RecordComponent component, TypeRef within, Enclosing enclosing) {
    boolean primitive = component.getType().isPrimitive();
    return new RecordMember(
        component,
        primitive ? null : BuiltInCodecs.of(within.resolve(component.getGenericType()), enclosing));
  }

  String name() {
    return component.getName();
  }

  Class<?> type() {
    return component.getType();
  }

  /// `long` and `Long` are two: the first has no mark for null.
  Schema schema() {
    return codec == null ? new Schema.Leaf(type().getName()) : BuiltIn.schemaOf(codec);
  }

  /// @param before null if the record gained this component
  RecordMember adaptedTo(Schema.Member before, Adaptation at) {
    Schema stored = before == null ? schema() : before.schema();
    if (codec == null) {
      at.expectSame(name(), stored, schema());
      return this;
    }
    return new RecordMember(component, at.part(name(), codec, stored));
  }

  /// What the component is in values that were written before the record gained it.
  Object absent() {
    return codec instanceof BuiltIn<?> builtIn ? builtIn.absent() : null;
  }
}
