package io.holdfast.codec;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.SequencedSet;

/// How a record's component of type C is written and read. An `int` or a `long` is written as it
/// is, without a box; anything else as a marker byte, 0 for null and 1 for a value, then the value
/// in the form of its codec.
///
/// @param fingerprint of the component's type
/// @param write `(EncodedOutput, C)void`
/// @param read `(EncodedInput)C`
record ComponentHandles(String fingerprint, MethodHandle write, MethodHandle read) {
  private static final byte ABSENT = 0;
  private static final byte PRESENT = 1;

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final ComponentHandles INT = primitive(int.class, "writeInt", "readInt");
  private static final ComponentHandles LONG = primitive(long.class, "writeLong", "readLong");
  private static final MethodHandle WRITE =
      helper("write", methodType(void.class, Codec.class, EncodedOutput.class, Object.class));
  private static final MethodHandle READ =
      helper("read", methodType(Object.class, Codec.class, EncodedInput.class));

  static ComponentHandles of(Class<?> type, SequencedSet<Class<?>> enclosing) {
    if (type == int.class) {
      return INT;
    }
    if (type == long.class) {
      return LONG;
    }
    // The codec becomes a constant of the handle, so its calls are bound and inlined.
    Codec<?> codec = BuiltInCodecs.of(type, enclosing);
    return new ComponentHandles(
        codec.fingerprint(),
        WRITE.bindTo(codec).asType(methodType(void.class, EncodedOutput.class, type)),
        READ.bindTo(codec).asType(methodType(type, EncodedInput.class)));
  }

  private static <C> void write(Codec<C> codec, EncodedOutput out, C value) {
    if (value == null) {
      out.writeByte(ABSENT);
    } else {
      out.writeByte(PRESENT);
      codec.encode(value, out);
    }
  }

  private static <C> C read(Codec<C> codec, EncodedInput in) {
    byte marker = in.readByte();
    if (marker == PRESENT) {
      return codec.decode(in);
    }
    if (marker == ABSENT) {
      return null;
    }
    throw in.badMarker(marker);
  }

  private static ComponentHandles primitive(Class<?> type, String write, String read) {
    try {
      return new ComponentHandles(
          type.getName(),
          LOOKUP.findVirtual(EncodedOutput.class, write, methodType(void.class, type)),
          LOOKUP.findVirtual(EncodedInput.class, read, methodType(type)));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static MethodHandle helper(String name, MethodType type) {
    try {
      return LOOKUP.findStatic(ComponentHandles.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
