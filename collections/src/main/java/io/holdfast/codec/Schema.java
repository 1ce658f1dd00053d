package io.holdfast.codec;

import java.util.List;
import java.util.StringJoiner;

/// The structure of an encoded form. Its text is the fingerprint of a codec:
///
/// | text | form |
/// |---|---|
/// | `Long`, `long`, `byte[]` | a leaf: in a record, `long` has no mark for null |
/// | `List<…>`, `Set<…>`, `Map<…,…>`, `Optional<…>`, `Array<…>` | a container |
/// | `record shop.Order(id:long,text:String)` | a record, its components in the order of their bytes |
/// | `enum shop.Color(RED,GREEN)` | an enum, its constants in the order of their numbers |
/// | `sealed shop.Shape(Circle:record …,Square:record …)` | a sealed interface, likewise |
/// | `^1` | again what encloses this: the innermost record or sealed interface, `^2` the next |
/// | `"…"` | within others: the fingerprint of a caller's codec, `"` and `\` behind a `\` |
///
/// The names of classes say where a form comes from; they are not compared.
sealed interface Schema {
  /// Stands for the structure of an enum's constant, which has none.
  Leaf NONE = new Leaf("");

  /// Parses a fingerprint; one that is none of ours is a [Text].
  static Schema of(String fingerprint) {
    Schema parsed = new SchemaParser(fingerprint).parse();
    return parsed == null ? new Text(fingerprint) : parsed;
  }

  record Leaf(String name) implements Schema {
    @Override
    public String toString() {
      return name;
    }
  }

  record Text(String fingerprint) implements Schema {
    @Override
    public String toString() {
      return '"' + fingerprint.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
  }

  record Container(String name, List<Schema> arguments) implements Schema {
    @Override
    public String toString() {
      StringJoiner text = new StringJoiner(",", name + "<", ">");
      for (Schema argument : arguments) {
        text.add(argument.toString());
      }
      return text.toString();
    }
  }

  record Enclosing(int level) implements Schema {
    @Override
    public String toString() {
      return "^" + level;
    }
  }

  /// @param kind `record`, `enum` or `sealed`
  record Named(String kind, String className, List<Member> members) implements Schema {
    /// The member of a name, or null.
    Member member(String name) {
      for (Member member : members) {
        if (member.name().equals(name)) {
          return member;
        }
      }
      return null;
    }

    @Override
    public String toString() {
      StringJoiner text = new StringJoiner(",", kind + " " + className + "(", ")");
      for (Member member : members) {
        text.add(member.toString());
      }
      return text.toString();
    }
  }

  record Member(String name, Schema schema) {
    @Override
    public String toString() {
      return schema.equals(NONE) ? name : name + ":" + schema;
    }
  }
}
