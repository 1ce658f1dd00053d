package io.holdfast.codec;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;

/// How a record's component of type C is written and read. One that is primitive is written as it
/// is, without a box; any other as a marker byte:
///
/// | marker | follows |
/// |---|---|
/// | 0 | nothing: the component is what an absent one is, null, or empty if its type can be |
/// | 1 | the value in the form of its codec |
/// | 2 | nothing: it is null, where that is not the same |
///
/// @param isAbsent `(C)boolean`: whether it is what an absent component is read as
/// @param write `(EncodedOutput, C, int)void`: writes it if the count says so
/// @param read `(EncodedInput, int)C`: reads it if the count says so
record ComponentHandles(MethodHandle isAbsent, MethodHandle write, MethodHandle read) {
  static final byte ABSENT = 0;
  static final byte PRESENT = 1;
  static final byte NULL = 2;

  /// @param name in the methods of [EncodedOutput] and [EncodedInput]
  private record Primitive(String name, int bytes) {}

  private static final Map<Class<?>, Primitive> PRIMITIVES =
      Map.of(
          boolean.class, new Primitive("Boolean", Byte.BYTES),
          byte.class, new Primitive("Byte", Byte.BYTES),
          short.class, new Primitive("Short", Short.BYTES),
          char.class, new Primitive("Char", Character.BYTES),
          int.class, new Primitive("Int", Integer.BYTES),
          long.class, new Primitive("Long", Long.BYTES),
          float.class, new Primitive("Float", Float.BYTES),
          double.class, new Primitive("Double", Double.BYTES));

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodHandle IS_STORED =
      helper("isStored", boolean.class, int.class, int.class);
  private static final MethodHandle CHECK_LAST =
      helper("checkLast", void.class, int.class, int.class, EncodedInput.class, int.class);
  private static final MethodHandle IS_ABSENT =
      helper("isAbsent", boolean.class, Object.class, Object.class);
  private static final MethodHandle WRITE =
      helper("write", void.class, Codec.class, Object.class, EncodedOutput.class, Object.class);
  private static final MethodHandle READ =
      helper("read", Object.class, Codec.class, Object.class, EncodedInput.class);

  /// @param index among the record's components, in the order of their bytes
  static ComponentHandles of(RecordMember member, int index) {
    Class<?> type = member.type();
    return member.codec() == null
        ? primitive(type, index)
        : reference(type, member.codec(), member.absent(), index);
  }

  private static ComponentHandles primitive(Class<?> type, int index) {
    MethodHandle zero = MethodHandles.zero(type);
    Primitive primitive = PRIMITIVES.get(type);
    try {
      return new ComponentHandles(
          LOOKUP.findStatic(ComponentHandles.class, "isZero", methodType(boolean.class, type)),
          guarded(
              LOOKUP.findVirtual(
                  EncodedOutput.class,
                  "write" + primitive.name(),
                  methodType(void.class, written(type))),
              type,
              index),
          guarded(
              LOOKUP.findVirtual(EncodedInput.class, "read" + primitive.name(), methodType(type)),
              zero,
              index,
              primitive.bytes()));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The codec becomes a constant of the handle, so its calls are bound and inlined.
  private static ComponentHandles reference(
      Class<?> type, Codec<?> codec, Object absent, int index) {
    MethodHandle write = MethodHandles.insertArguments(WRITE, 0, codec, absent);
    MethodHandle read = MethodHandles.insertArguments(READ, 0, codec, absent);
    return new ComponentHandles(
        MethodHandles.insertArguments(IS_ABSENT, 0, absent).asType(methodType(boolean.class, type)),
        guarded(write, type, index),
        guarded(
            read.asType(methodType(type, EncodedInput.class)),
            MethodHandles.constant(type, absent),
            index,
            Byte.BYTES));
  }

  /// From `(EncodedOutput, C)void` to `(EncodedOutput, C, int)void`.
  private static MethodHandle guarded(MethodHandle write, Class<?> type, int index) {
    MethodType guardedType = methodType(void.class, EncodedOutput.class, type, int.class);
    MethodHandle isStored =
        MethodHandles.dropArguments(
            MethodHandles.insertArguments(IS_STORED, 0, index), 0, EncodedOutput.class, type);
    return MethodHandles.guardWithTest(
        isStored,
        MethodHandles.dropArguments(
            write.asType(methodType(void.class, EncodedOutput.class, type)), 2, int.class),
        MethodHandles.empty(guardedType));
  }

  /// From `(EncodedInput)C` to `(EncodedInput, int)C`.
  private static MethodHandle guarded(
      MethodHandle read, MethodHandle absent, int index, int bytes) {
    MethodHandle checked =
        MethodHandles.foldArguments(
            MethodHandles.dropArguments(read, 1, int.class),
            MethodHandles.insertArguments(CHECK_LAST, 0, index, bytes));
    MethodHandle isStored =
        MethodHandles.dropArguments(
            MethodHandles.insertArguments(IS_STORED, 0, index), 0, EncodedInput.class);
    return MethodHandles.guardWithTest(
        isStored, checked, MethodHandles.dropArguments(absent, 0, EncodedInput.class, int.class));
  }

  /// READABLE-1: what can't be read is not written.
  static CodecException changed(String what) {
    return new CodecException(
        "A component of a record has changed while it was encoded: %s. Nothing was stored; let no other thread change it meanwhile"
            .formatted(what));
  }

  /// How many bytes a component of a primitive type has.
  static int bytes(Class<?> type) {
    return PRIMITIVES.get(type).bytes();
  }

  private static boolean isStored(int index, int count) {
    return index < count;
  }

  /// RECORD-FORM: the last component that is written is not what an absent one is.
  private static void checkLast(int index, int bytes, EncodedInput in, int count) {
    if (index + 1 == count) {
      in.expectNotZero(bytes);
    }
  }

  private static boolean isAbsent(Object absent, Object value) {
    return absent == null ? value == null : absent.equals(value);
  }

  private static <C> void write(Codec<C> codec, Object absent, EncodedOutput out, C value) {
    if (isAbsent(absent, value)) {
      out.writeAbsent();
    } else if (value == null) {
      out.writeByte(NULL);
    } else {
      out.writeByte(PRESENT);
      int start = out.length();
      codec.encode(value, out);
      if (absent != null && out.length() == start + 1 && out.isZeroFrom(start)) {
        throw changed("type=" + codec.fingerprint()); // it is empty by now
      }
    }
  }

  @SuppressWarnings("unchecked") // the codec's own
  private static <C> C read(Codec<C> codec, Object absent, EncodedInput in) {
    byte marker = in.readByte();
    if (marker == PRESENT) {
      C value = codec.decode(in);
      if (absent != null && absent.equals(value)) {
        throw in.refused("Cannot read a component of a record: it is empty, and not so marked");
      }
      return value;
    }
    if (marker == ABSENT) {
      return (C) absent;
    }
    if (marker != NULL || absent == null) {
      throw in.badMarker(marker);
    }
    return null;
  }

  private static boolean isZero(boolean value) {
    return !value;
  }

  private static boolean isZero(byte value) {
    return value == 0;
  }

  private static boolean isZero(short value) {
    return value == 0;
  }

  private static boolean isZero(char value) {
    return value == 0;
  }

  private static boolean isZero(int value) {
    return value == 0;
  }

  private static boolean isZero(long value) {
    return value == 0;
  }

  /// -0.0 is not zero here.
  private static boolean isZero(float value) {
    return Float.floatToRawIntBits(value) == 0;
  }

  private static boolean isZero(double value) {
    return Double.doubleToRawLongBits(value) == 0;
  }

  private static Class<?> written(Class<?> type) {
    return type == byte.class || type == short.class ? int.class : type;
  }

  private static MethodHandle helper(String name, Class<?> result, Class<?>... arguments) {
    try {
      return LOOKUP.findStatic(ComponentHandles.class, name, methodType(result, arguments));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
