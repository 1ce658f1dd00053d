package io.holdfast.codec;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/// One adaptation of a codec to an earlier fingerprint: the way to the part that is looked at, and
/// what is said if it can't be adapted.
final class Adaptation {
  private final Deque<String> way = new ArrayDeque<>();
  private final Enclosing enclosing = new Enclosing();

  /// The records and sealed interfaces around, as adapted.
  Enclosing enclosing() {
    return enclosing;
  }

  /// Adapts a part of a codec.
  ///
  /// @param name of the part, such as a component's
  <P> Codec<P> part(String name, Codec<P> codec, Schema stored) {
    way.addLast(name);
    Codec<P> adapted = adapted(codec, stored);
    way.removeLast();
    return adapted;
  }

  private <P> Codec<P> adapted(Codec<P> codec, Schema stored) {
    if (codec instanceof BuiltIn<P> builtIn) {
      return builtIn.adaptedTo(stored, this);
    }
    if (stored instanceof Schema.Text text) {
      return codec.adaptedTo(text.fingerprint());
    }
    throw changed(stored, BuiltIn.schemaOf(codec));
  }

  /// For a primitive component, which has no codec.
  void expectSame(String name, Schema stored, Schema now) {
    way.addLast(name);
    expectSame(stored, now);
    way.removeLast();
  }

  void expectSame(Schema stored, Schema now) {
    if (!stored.equals(now)) {
      throw changed(stored, now);
    }
  }

  /// What the stored container contains.
  List<Schema> arguments(Schema stored, Schema.Container now) {
    if (stored instanceof Schema.Container before
        && before.name().equals(now.name())
        && before.arguments().size() == now.arguments().size()) {
      return before.arguments();
    }
    throw changed(stored, now);
  }

  /// The names of members in the order of their numbers: as they were stored, then what was gained.
  List<String> order(Schema stored, Schema.Named now) {
    if (!(stored instanceof Schema.Named before) || !before.kind().equals(now.kind())) {
      throw changed(stored, now);
    }
    for (Schema.Member member : before.members()) {
      if (now.member(member.name()) == null) {
        throw lost(member, now);
      }
    }
    return Stream.concat(before.members().stream(), now.members().stream())
        .map(Schema.Member::name)
        .distinct()
        .toList();
  }

  private IllegalArgumentException lost(Schema.Member member, Schema.Named now) {
    return new IllegalArgumentException(
        "%s %s%s has lost %s, which stored values have (or it was renamed). %s"
            .formatted(
                now.kind(),
                now.className(),
                place(),
                member,
                "To go on: put it back; or copy the collection into another one with a program that"
                    + " has both forms"));
  }

  private IllegalArgumentException changed(Schema stored, Schema now) {
    return new IllegalArgumentException(
        "values have another form%s: stored=%s, asked=%s. %s"
            .formatted(
                place(),
                stored,
                now,
                way.isEmpty()
                    ? "Open it as what it is, or use another name"
                    : "To go on: use the stored form, and a further component for the new one; or"
                        + " copy the collection into another one with a program that has both"
                        + " forms"));
  }

  private String place() {
    return way.isEmpty() ? "" : " at " + String.join(".", way);
  }
}
