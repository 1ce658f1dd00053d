package io.holdfast.codec;

import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Chooses the codec of a type: the table after [Codec#of].
final class BuiltInCodecs {
  private BuiltInCodecs() {}

  /// Made when a type of a group is asked for: those of all leaves have some hundred lambdas, which
  /// a new process would wait for.
  private static Codec<?> leaf(Class<?> type) {
    if (type.isArray()) {
      return PrimitiveArrays.BY_CLASS.get(type);
    }
    return type.getPackageName().equals("java.time")
        ? TimeLeaves.BY_CLASS.get(type)
        : Leaves.of(type);
  }

  /// Of all leaves, by the name in a fingerprint; those of primitive components too.
  private static final class ByName {
    static final Map<String, Codec<?>> LEAVES = new HashMap<>();

    static {
      Leaves.ALL.forEach(type -> add(type, Leaves.of(type)));
      PrimitiveArrays.BY_CLASS.forEach(ByName::add);
      TimeLeaves.BY_CLASS.forEach(ByName::add);
      add(byte[].class, new LoneBytesCodec());
    }

    private static void add(Class<?> type, Codec<?> codec) {
      LEAVES.put(type.isPrimitive() ? type.getName() : codec.fingerprint(), codec);
    }
  }

  /// The codec of a leaf; `null` if there is none of the name.
  static Codec<?> leaf(String name) {
    return ByName.LEAVES.get(name);
  }

  /// Kept, for to compose a record's method handles takes a millisecond, and the JVM makes code of
  /// those alone that are called often.
  private static final ClassValue<Codec<?>> OF_CLASSES =
      new ClassValue<>() {
        @Override
        protected Codec<?> computeValue(Class<?> type) {
          return of(TypeRef.of(type), new Enclosing());
        }
      };

  @SuppressWarnings("unchecked") // the codec of a class
  static <T> Codec<T> of(Class<T> type) {
    return (Codec<T>) OF_CLASSES.get(type);
  }

  private record OfArguments(List<Class<?>> arguments, Codec<?> codec) {}

  /// Kept too, by the class that has parameters: softly, for what stands for these may be of a
  /// class loader that is to go before its own.
  private static final ClassValue<Queue<SoftReference<OfArguments>>> OF_ARGUMENTS =
      new ClassValue<>() {
        @Override
        protected Queue<SoftReference<OfArguments>> computeValue(Class<?> type) {
          return new ConcurrentLinkedQueue<>();
        }
      };

  @SuppressWarnings("unchecked") // the codec of the class with these arguments
  static <T> Codec<T> of(Class<? super T> type, List<Class<?>> arguments) {
    Queue<SoftReference<OfArguments>> kept = OF_ARGUMENTS.get(type);
    return (Codec<T>)
        kept.stream()
            .map(SoftReference::get)
            .filter(each -> each != null && each.arguments.equals(arguments))
            .findFirst()
            .orElseGet(() -> made(type, List.copyOf(arguments), kept))
            .codec;
  }

  private static OfArguments made(
      Class<?> type, List<Class<?>> arguments, Queue<SoftReference<OfArguments>> kept) {
    List<TypeRef> resolved = arguments.stream().map(TypeRef::of).toList();
    OfArguments made = new OfArguments(arguments, of(TypeRef.of(type, resolved), new Enclosing()));
    kept.removeIf(each -> each.get() == null);
    kept.add(new SoftReference<>(made));
    return made;
  }

  static Codec<?> of(TypeRef type, Enclosing enclosing) {
    Class<?> raw = type.raw();
    Codec<?> leaf = leaf(raw);
    if (leaf != null) {
      return leaf;
    }
    if (raw.isArray()) {
      return ArrayCodec.of(raw.componentType(), of(type.arguments().getFirst(), enclosing));
    }
    if (raw.isEnum()) {
      return EnumCodec.of(raw);
    }
    if (raw.isRecord() || raw.isInterface() && raw.isSealed()) {
      return ofMembers(type, enclosing);
    }
    List<? extends Codec<?>> arguments =
        type.arguments().stream().map(argument -> of(argument, enclosing)).toList();
    return container(type, arguments, enclosing);
  }

  private static Codec<?> ofMembers(TypeRef type, Enclosing enclosing) {
    int level = enclosing.level(type);
    if (level > 0) {
      return new EnclosingCodec<>(level, enclosing.at(level));
    }
    if (enclosing.depth() == EncodedOutput.DEPTH_MAX) {
      throw new IllegalArgumentException(
          "There is no built-in codec for %s, whose types are nested deeper than %d levels: %s"
              .formatted(type, EncodedOutput.DEPTH_MAX, enclosing));
    }
    return enclosing.within(
        type,
        () ->
            type.raw().isRecord()
                ? RecordCodec.of(type, enclosing)
                : SealedCodec.of(type, enclosing));
  }

  private static Codec<?> container(
      TypeRef type, List<? extends Codec<?>> arguments, Enclosing enclosing) {
    Codec<?> container =
        type.raw().getPackageName().equals("java.util")
            ? container(type.raw().getSimpleName(), arguments)
            : null;
    if (container == null) {
      throw unsupported(type, enclosing);
    }
    return container;
  }

  /// The codec of a container; `null` if there is none of the name with as many arguments.
  static Codec<?> container(String name, List<? extends Codec<?>> arguments) {
    if (arguments.size() == 1) {
      Codec<?> element = arguments.getFirst();
      // Not an expression: the verifier would load these to find what they have in common.
      switch (name) {
        case "List":
          return new ListCodec<>(element);
        case "Set":
          return new SetCodec<>(element);
        case "Optional":
          return new OptionalCodec<>(element);
        default:
          return null;
      }
    }
    return name.equals("Map") && arguments.size() == 2
        ? new MapCodec<>(arguments.get(0), arguments.get(1))
        : null;
  }

  private static IllegalArgumentException unsupported(TypeRef type, Enclosing enclosing) {
    String place = enclosing.depth() == 0 ? "" : ", within " + enclosing;
    return new IllegalArgumentException(
        ("There is no built-in codec for %s%s: supported are primitives and their wrappers, String,"
             + " UUID, BigInteger, BigDecimal, the value types of java.time, enums, arrays,"
             + " records, sealed interfaces of records, and List, Set, Map and Optional with their"
             + " types (by themselves: Codec.listOf and its like); pass a Codec of your own instead"
             + " of the class")
            .formatted(type, place));
  }
}
