package io.holdfast.codec;

import java.lang.invoke.MethodHandle;
import java.util.Objects;

/// A record as its components, in the order of their declaration, by two method handles that
/// [RecordHandles] composes. Encoding or decoding is one call of a handle, whatever the number of
/// components: the JVM compiles a handle that is called often into one piece of code in which the
/// accessors, the writes and the codecs of the components are inlined.
///
/// This class is a record itself because the JIT compiler trusts only the final fields of records
/// to be final. The handles of a nested record, whose codec is a constant in the outer handle, are
/// then constants too and are inlined; in a class they would be calls.
///
/// @param encoder `(EncodedOutput, Object)void`
/// @param decoder `(EncodedInput)Object`
record RecordCodec<T>(String fingerprint, MethodHandle encoder, MethodHandle decoder)
    implements Codec<T> {

  @Override
  public void encode(T value, EncodedOutput out) {
    Objects.requireNonNull(value, "value");
    try {
      encoder.invokeExact(out, (Object) value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the handle ends in the constructor of T
  public T decode(EncodedInput in) {
    try {
      return (T) (Object) decoder.invokeExact(in);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /// The handles turn every exception of the record's own code into a [CodecException], and what is
  /// left declares none.
  private static AssertionError unexpected(Throwable e) {
    return new AssertionError("A checked exception came out of a record's handle", e);
  }
}
