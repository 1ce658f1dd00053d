package io.holdfast.codec;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedSet;
import java.util.StringJoiner;

/// Composes the method handles of a [RecordCodec]: the encoder gets and writes each component in
/// turn; the decoder reads all of them and then calls the canonical constructor.
final class RecordHandles {
  /// While it runs, a decoder has the components and the input as arguments. A handle takes 255
  /// slots, less one for itself, one for the new record and one for the input; a `long` takes two.
  private static final int SLOTS_MAX = 255 - 3;

  private RecordHandles() {}

  /// `enclosing` holds the records around, `type` included.
  static <T> Codec<T> codec(Class<T> type, SequencedSet<Class<?>> enclosing) {
    RecordMembers members = new RecordMembers(type);
    requireFit(members);
    StringJoiner fingerprint = new StringJoiner(",", "record " + type.getName() + "(", ")");
    List<MethodHandle> writes = new ArrayList<>();
    List<MethodHandle> reads = new ArrayList<>();
    for (RecordComponent member : members.components()) {
      ComponentHandles component = ComponentHandles.of(member.getType(), enclosing);
      fingerprint.add(member.getName() + ":" + component.fingerprint());
      // write(out, value) and value = accessor(record) make write(out, record)
      writes.add(MethodHandles.filterArguments(component.write(), 1, members.accessor(member)));
      reads.add(component.read());
    }
    return new RecordCodec<>(
        fingerprint.toString(), encoder(type, writes), decoder(members.constructor(), reads));
  }

  private static MethodHandle encoder(Class<?> type, List<MethodHandle> writes) {
    MethodHandle encoder =
        writes.isEmpty()
            ? MethodHandles.empty(methodType(void.class, EncodedOutput.class, type))
            : sequence(writes);
    return encoder.asType(methodType(void.class, EncodedOutput.class, Object.class));
  }

  /// Calls the handles one after the other. Halving keeps the calls a few levels deep, as the JIT
  /// compiler inlines to a limited depth.
  private static MethodHandle sequence(List<MethodHandle> calls) {
    if (calls.size() == 1) {
      return calls.getFirst();
    }
    int half = calls.size() / 2;
    return MethodHandles.foldArguments(
        sequence(calls.subList(half, calls.size())), sequence(calls.subList(0, half)));
  }

  /// Turns `constructor(c0, c1, …)` into `constructor(read0(in), read1(in), …)`, component by
  /// component from the last to the first, as what is folded in last runs first. (The order in
  /// which `MethodHandles.filterArguments` would call the reads is not specified.)
  private static MethodHandle decoder(MethodHandle constructor, List<MethodHandle> reads) {
    MethodHandle decoder =
        MethodHandles.dropArguments(constructor, reads.size(), EncodedInput.class);
    for (int i = reads.size() - 1; i >= 0; i--) {
      decoder = MethodHandles.foldArguments(decoder, i, reads.get(i));
    }
    return decoder.asType(methodType(Object.class, EncodedInput.class));
  }

  private static void requireFit(RecordMembers members) {
    int slots = 0;
    for (RecordComponent component : members.components()) {
      slots += component.getType() == long.class ? 2 : 1;
    }
    if (slots > SLOTS_MAX) {
      throw new IllegalArgumentException(
          ("Record %s has too many components for the built-in codec: slots=%s (a long takes 2,"
                  + " others 1), allowed=%s; pass a Codec of your own instead of the class")
              .formatted(members.typeName(), slots, SLOTS_MAX));
    }
  }
}
