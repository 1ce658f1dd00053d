package io.holdfast.codec;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// A record as the number of its components that are written, a varint, and then these, by method
/// handles that [RecordHandles] composes.
///
/// **RECORD-FORM** Components at the end that are what an absent one is read as (zero, false, null,
/// empty) are not written. So a record has one form, and the same before and after its class gained
/// components: a key that was stored before is found. Test:
/// RecordEvolutionTest.bytesOfOldKeysAreThoseOfNewOnes.
///
/// Encoding or decoding is a call or two of a handle, whatever the number of components: the JVM
/// compiles a handle that is called often into one piece of code in which the accessors, the writes
/// and the codecs of the components are inlined.
///
/// This class is a record itself because the JIT compiler trusts only the final fields of records
/// to be final. The handles of a nested record, whose codec is a constant in the outer handle, are
/// then constants too and are inlined; in a class they would be calls.
///
/// @param members in the order of their bytes
/// @param counter `(Object)int`: how many components of a record are written
/// @param encoder `(EncodedOutput, Object, int)void`: writes that many
/// @param decoder `(EncodedInput, int)Object`: reads that many
record RecordCodec<T>(
    TypeRef type,
    List<RecordMember> members,
    MethodHandle counter,
    MethodHandle encoder,
    MethodHandle decoder)
    implements BuiltIn<T> {

  /// @param enclosing the records and sealed interfaces around, `type` included
  static <T> Codec<T> of(TypeRef type, Enclosing enclosing) {
    RecordComponent[] components = type.raw().getRecordComponents();
    return of(
        type,
        Arrays.stream(components)
            .map(component -> RecordMember.of(component, type, enclosing))
            .toList());
  }

  private static <T> Codec<T> of(TypeRef type, List<RecordMember> members) {
    RecordHandles handles = new RecordHandles(type.raw(), members);
    return new RecordCodec<>(
        type, members, handles.counter(), handles.encoder(), handles.decoder());
  }

  @Override
  public Schema.Named schema() {
    return new Schema.Named(
        "record",
        type.raw().getName(),
        members.stream().map(member -> new Schema.Member(member.name(), member.schema())).toList());
  }

  @Override
  public Codec<T> adaptedTo(Schema stored, Adaptation at) {
    List<String> order = at.order(stored, schema());
    return at.enclosing()
        .within(
            type, () -> of(type, order.stream().map(name -> adapted(name, stored, at)).toList()));
  }

  private RecordMember adapted(String name, Schema stored, Adaptation at) {
    RecordMember member =
        members.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    return member.adaptedTo(((Schema.Named) stored).member(name), at);
  }

  @Override
  public void encode(T value, EncodedOutput out) {
    Objects.requireNonNull(value, "value");
    try {
      int count = (int) counter.invokeExact((Object) value);
      out.writeLength(count);
      out.enter(type);
      encoder.invokeExact(out, (Object) value, count);
      out.leave();
      if (count > 0 && endsAbsent(members.get(count - 1), out)) {
        throw ComponentHandles.changed("record=" + type);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /// RECORD-FORM: the last component that was counted was written as one that need not be there.
  private static boolean endsAbsent(RecordMember last, EncodedOutput out) {
    return last.codec() != null
        ? out.endsAbsent()
        : out.isZeroFrom(out.length() - ComponentHandles.bytes(last.type()));
  }

  @Override
  @SuppressWarnings("unchecked") // the handle ends in the constructor of T
  public T decode(EncodedInput in) {
    int count = in.readLength();
    if (count > members.size()) {
      throw tooMany(in, count);
    }
    in.enter();
    try {
      T value = (T) (Object) decoder.invokeExact(in, count);
      in.leave();
      return value;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private CodecException tooMany(EncodedInput in, int count) {
    return in.refused(
        "Cannot read a record %s: components=%d, its own=%d"
            .formatted(type, count, members.size()));
  }

  /// The handles turn every exception of the record's own code into a [CodecException], and what is
  /// left declares none.
  private static AssertionError unexpected(Throwable e) {
    return new AssertionError("A checked exception came out of a record's handle", e);
  }
}
