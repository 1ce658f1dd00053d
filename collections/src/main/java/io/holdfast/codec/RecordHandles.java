package io.holdfast.codec;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Composes the method handles of a [RecordCodec]. The counter asks from the last component on
/// whether it has to be written; the encoder gets and writes each one up to there in turn; the
/// decoder reads as many, takes what is absent for the others, and calls the canonical constructor.
final class RecordHandles {
  /// While it runs, a decoder has the components, the input and the count as arguments. A handle
  /// takes 255 slots, less one for itself, one for the new record, one for the input and one for
  /// the count; a `long` or a `double` takes two.
  private static final int SLOTS_MAX = 255 - 4;

  private final Class<?> type;
  private final RecordMembers reflected;
  private final List<RecordMember> members;
  private final List<MethodHandle> accessors = new ArrayList<>();
  private final List<ComponentHandles> components = new ArrayList<>();

  /// @param members in the order of their bytes
  RecordHandles(Class<?> type, List<RecordMember> members) {
    this.type = type;
    this.reflected = new RecordMembers(type);
    this.members = members;
    requireFit();
    for (int i = 0; i < members.size(); i++) {
      accessors.add(reflected.accessor(members.get(i).component()));
      components.add(ComponentHandles.of(members.get(i), i));
    }
  }

  MethodHandle counter() {
    MethodHandle counter = MethodHandles.empty(methodType(int.class, type));
    for (int i = 0; i < members.size(); i++) {
      MethodHandle isAbsent =
          MethodHandles.filterArguments(components.get(i).isAbsent(), 0, accessors.get(i));
      MethodHandle upToHere =
          MethodHandles.dropArguments(MethodHandles.constant(int.class, i + 1), 0, type);
      counter = MethodHandles.guardWithTest(isAbsent, counter, upToHere);
    }
    return counter.asType(methodType(int.class, Object.class));
  }

  MethodHandle encoder() {
    MethodType written = methodType(void.class, EncodedOutput.class, type, int.class);
    List<MethodHandle> writes = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      // write(out, component, count) and component = accessor(record): write(out, record, count)
      writes.add(MethodHandles.filterArguments(components.get(i).write(), 1, accessors.get(i)));
    }
    MethodHandle encoder = writes.isEmpty() ? MethodHandles.empty(written) : sequence(writes);
    return encoder.asType(written.changeParameterType(1, Object.class));
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

  /// Turns `constructor(c0, c1, …)` into `constructor(read0(in, count), read1(in, count), …)`,
  /// component by component from the last to the first, as what is folded in last runs first. (The
  /// order in which `MethodHandles.filterArguments` would call the reads is not specified.)
  MethodHandle decoder() {
    MethodHandle decoder =
        MethodHandles.dropArguments(
            constructorInByteOrder(), members.size(), EncodedInput.class, int.class);
    for (int i = members.size() - 1; i >= 0; i--) {
      decoder = MethodHandles.foldArguments(decoder, i, components.get(i).read());
    }
    return decoder.asType(methodType(Object.class, EncodedInput.class, int.class));
  }

  private MethodHandle constructorInByteOrder() {
    List<String> names = members.stream().map(RecordMember::name).toList();
    List<RecordComponent> declared = reflected.components();
    int[] places = declared.stream().mapToInt(each -> names.indexOf(each.getName())).toArray();
    Class<?>[] types = members.stream().map(RecordMember::type).toArray(Class<?>[]::new);
    return MethodHandles.permuteArguments(reflected.constructor(), methodType(type, types), places);
  }

  private void requireFit() {
    int slots =
        Arrays.stream(type.getRecordComponents()).mapToInt(each -> slots(each.getType())).sum();
    if (slots > SLOTS_MAX) {
      throw new IllegalArgumentException(
          ("Record %s has too many components for the built-in codec: slots=%s (a long or a double"
               + " takes 2, others 1), allowed=%s; pass a Codec of your own instead of the class")
              .formatted(type.getName(), slots, SLOTS_MAX));
    }
  }

  private static int slots(Class<?> type) {
    return type == long.class || type == double.class ? 2 : 1;
  }
}
