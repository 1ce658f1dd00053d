package io.holdfast.codec;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Reads values by their fingerprint alone, without the classes that they are of: for tools, which
/// show what a store holds and have no program.
///
/// | form | what it is read as |
/// |---|---|
/// | a leaf, such as `Long`, `Instant` or `byte[]` | as by its own codec |
/// | `List<…>`, `Set<…>`, `Array<…>`, `long[]` and the like | a `List`, in the order of the bytes |
/// | `Map<…,…>` | a `Map`, in the order of the bytes |
/// | `Optional<…>` | the value, or `null` |
/// | `record …` | a `Map` from components' names to values; what its program did not write is zero, `null` or empty |
/// | `enum …` | the constant's name |
/// | `sealed …` | a `Map` of one entry, from the record's name to the record |
/// | `"…"`, a codec of the caller's | what that reads, if it is at hand |
///
/// Less strict than the codecs: what they refuse because they would have written it in another way,
/// it reads. Nothing is written by it.
///
/// Thread-safe.
public final class FormCodec implements Codec<Object> {
  private static final List<String> PRIMITIVES =
      List.of("boolean", "byte", "short", "char", "int", "long", "float", "double");

  private final String fingerprint;
  private final Form form;

  /// How a part of a value is read.
  private interface Form {
    Object read(EncodedInput in);

    /// What a record's component is that was not written.
    default Object absent() {
      return null;
    }
  }

  private record Part(String name, Form form, boolean isPrimitive) {}

  private FormCodec(String fingerprint, Form form) {
    this.fingerprint = fingerprint;
    this.form = form;
  }

  /// The codec of a fingerprint.
  ///
  /// @param callers finds the codec of a caller's fingerprint, or returns `null`
  /// @throws IllegalArgumentException if a part of it is of a codec that is not at hand; the
  ///   message names its fingerprint
  public static FormCodec of(String fingerprint, Function<String, Codec<?>> callers) {
    return new FormCodec(
        fingerprint, new Maker(callers).form(Schema.of(fingerprint), new ArrayList<>()));
  }

  /// The fingerprints of keys and of values in that of a map, in this order; one that is no map's
  /// is alone.
  public static List<String> parts(String fingerprint) {
    return Schema.of(fingerprint) instanceof Schema.Container container
            && container.name().equals("Map")
            && container.arguments().size() == 2
        ? container.arguments().stream().map(FormCodec::text).toList()
        : List.of(fingerprint);
  }

  /// The components of a fingerprint's record, in the order of their bytes; none if it is not one
  /// of a record.
  public static List<String> components(String fingerprint) {
    return Schema.of(fingerprint) instanceof Schema.Named named && named.kind().equals("record")
        ? named.members().stream().map(Schema.Member::name).toList()
        : List.of();
  }

  /// A part's fingerprint by itself: that of a caller's codec has no quotes then.
  private static String text(Schema schema) {
    return schema instanceof Schema.Text its ? its.fingerprint() : schema.toString();
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public void encode(Object value, EncodedOutput out) {
    throw new UnsupportedOperationException("values are only read: codec=" + fingerprint);
  }

  @Override
  public Object decode(EncodedInput in) {
    return form.read(in);
  }

  private record Maker(Function<String, Codec<?>> callers) {
    /// @param around the forms of the records and sealed interfaces around, the outermost first;
    ///   one that is being made is read when it is there
    Form form(Schema schema, List<Form[]> around) {
      return switch (schema) {
        case Schema.Leaf leaf -> leaf(leaf.name());
        case Schema.Text its -> callers(its.fingerprint());
        case Schema.Enclosing its -> enclosing(its.level(), around);
        case Schema.Container its ->
            container(
                its.name(),
                its.arguments().stream().map(argument -> form(argument, around)).toList(),
                schema);
        case Schema.Named named -> {
          if (named.kind().equals("enum")) {
            yield constant(named);
          }
          Form[] own = new Form[1];
          around.add(own);
          List<Part> parts =
              named.members().stream()
                  .map(
                      member ->
                          new Part(
                              member.name(),
                              form(member.schema(), around),
                              isPrimitive(member.schema())))
                  .toList();
          around.removeLast();
          own[0] = named.kind().equals("record") ? ofRecord(parts) : ofSealed(parts);
          yield own[0];
        }
      };
    }

    private static boolean isPrimitive(Schema schema) {
      return schema instanceof Schema.Leaf leaf && PRIMITIVES.contains(leaf.name());
    }

    private static IllegalArgumentException unknown(Object what) {
      return new IllegalArgumentException("no codec is known for " + what);
    }

    private Form callers(String text) {
      Codec<?> codec = callers.apply(text);
      if (codec == null) {
        throw unknown(text);
      }
      return codec::decode;
    }

    private Form leaf(String name) {
      Codec<?> codec = BuiltInCodecs.leaf(name);
      if (codec == null) {
        return callers(name); // a caller's, whose fingerprint looks like a leaf
      }
      Object absent =
          isPrimitive(new Schema.Leaf(name))
              ? zero(codec)
              : codec instanceof BuiltIn<?> builtIn ? builtIn.absent() : null;
      return new Form() {
        @Override
        public Object read(EncodedInput in) {
          Object value = codec.decode(in);
          return value.getClass().isArray() && !(value instanceof byte[]) ? list(value) : value;
        }

        @Override
        public Object absent() {
          return absent;
        }
      };
    }

    private static List<Object> list(Object array) {
      return IntStream.range(0, Array.getLength(array)).mapToObj(i -> Array.get(array, i)).toList();
    }

    private static Object zero(Codec<?> codec) {
      return codec instanceof WordCodec<?> words ? words.fromWord(0) : null;
    }

    private static Form enclosing(int level, List<Form[]> around) {
      if (level > around.size()) {
        throw unknown("^" + level);
      }
      Form[] knot = around.get(around.size() - level);
      return in -> knot[0].read(in);
    }

    private static Form container(String name, List<Form> arguments, Schema schema) {
      int count = name.equals("Map") ? 2 : 1;
      if (arguments.size() != count) {
        throw unknown(schema);
      }
      Form first = arguments.getFirst();
      return switch (name) {
        case "List", "Set" -> withAbsent(in -> list(first, in), List.of());
        case "Array" -> in -> list(first, in);
        case "Map" -> withAbsent(in -> map(first, arguments.get(1), in), Map.of());
        case "Optional" -> in -> in.readBoolean() ? first.read(in) : null;
        default -> throw unknown(schema);
      };
    }

    private static Form withAbsent(Form form, Object absent) {
      return new Form() {
        @Override
        public Object read(EncodedInput in) {
          return form.read(in);
        }

        @Override
        public Object absent() {
          return absent;
        }
      };
    }

    private static Object list(Form element, EncodedInput in) {
      int count = in.readLength(1);
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        list.add(element.read(in));
      }
      return Collections.unmodifiableList(list);
    }

    private static Object map(Form key, Form value, EncodedInput in) {
      int count = in.readLength(2);
      Map<Object, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        Object k = key.read(in);
        map.put(k, value.read(in));
      }
      return Collections.unmodifiableMap(map);
    }

    private static Form constant(Schema.Named named) {
      List<String> names = named.members().stream().map(Schema.Member::name).toList();
      return in -> names.get(number(in, names.size(), named.className()));
    }

    private static int number(EncodedInput in, int count, String what) {
      int number = in.readLength();
      if (number >= count) {
        throw in.refused("Cannot read a %s: number=%d, count=%d".formatted(what, number, count));
      }
      return number;
    }

    private static Form ofSealed(List<Part> parts) {
      return in -> {
        Part part = parts.get(number(in, parts.size(), "sealed interface"));
        Map<String, Object> value = new LinkedHashMap<>();
        value.put(part.name(), part.form().read(in));
        return Collections.unmodifiableMap(value);
      };
    }

    private static Form ofRecord(List<Part> parts) {
      return in -> {
        int count = in.readLength();
        if (count > parts.size()) {
          throw in.refused(
              "Cannot read a record: components=%d, its own=%d".formatted(count, parts.size()));
        }
        in.enter();
        Map<String, Object> value = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
          Part part = parts.get(i);
          value.put(part.name(), i < count ? component(part, in) : part.form().absent());
        }
        in.leave();
        return Collections.unmodifiableMap(value);
      };
    }

    /// As [ComponentHandles] writes it.
    private static Object component(Part part, EncodedInput in) {
      if (part.isPrimitive()) {
        return part.form().read(in);
      }
      byte marker = in.readByte();
      return switch (marker) {
        case ComponentHandles.PRESENT -> part.form().read(in);
        case ComponentHandles.ABSENT -> part.form().absent();
        case ComponentHandles.NULL -> null;
        default -> throw in.badMarker(marker);
      };
    }
  }
}
