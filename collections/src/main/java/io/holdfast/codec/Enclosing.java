package io.holdfast.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The records and sealed interfaces around the place where a codec is being made, the outermost
/// first. A type that contains itself finds itself here.
final class Enclosing {
  private final List<Knot<?>> knots = new ArrayList<>();

  /// A type whose codec is being made, and then that codec. Codecs that refer to it are made before
  /// it is.
  static final class Knot<T> {
    private final TypeRef type;

    /// Volatile, so that who gets the whole by a data race sees it too.
    private volatile Codec<T> codec;

    private Knot(TypeRef type) {
      this.type = type;
    }

    Codec<T> codec() {
      return codec;
    }
  }

  /// Makes the codec of a type, within this type.
  interface Maker<T> {
    Codec<T> make();
  }

  <T> Codec<T> within(TypeRef type, Maker<T> maker) {
    Knot<T> knot = new Knot<>(type);
    knots.add(knot);
    knot.codec = maker.make();
    knots.removeLast();
    return knot.codec;
  }

  /// How many levels out a type is, 1 for the innermost; 0 if it is not around.
  int level(TypeRef type) {
    for (int i = knots.size() - 1; i >= 0; i--) {
      if (knots.get(i).type.equals(type)) {
        return knots.size() - i;
      }
    }
    return 0;
  }

  Knot<?> at(int level) {
    return knots.get(knots.size() - level);
  }

  int depth() {
    return knots.size();
  }

  /// The way here, for messages; empty if nothing is around.
  @Override
  public String toString() {
    return knots.stream().map(knot -> knot.type.toString()).collect(Collectors.joining(" > "));
  }
}
