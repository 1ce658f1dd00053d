package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;

/// A codec that runs code of the caller's while it decodes inside of an operation.
///
/// @param place what that code must not use (UPDATE-1)
record GuardedDecoding<T>(Codec<T> codec, CallersCode.Place place) implements Codec<T> {
  @Override
  public String fingerprint() {
    return codec.fingerprint();
  }

  @Override
  public void encode(T value, EncodedOutput out) {
    codec.encode(value, out);
  }

  @Override
  public T decode(EncodedInput in) {
    CallersCode.Running running = CallersCode.running();
    int outer = running.enter(place);
    try {
      return CallersCode.decoded(codec, in);
    } finally {
      running.leave(outer);
    }
  }
}
