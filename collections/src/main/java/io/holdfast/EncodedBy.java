package io.holdfast;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.codec.FormCodec;
import io.holdfast.core.heap.Root;
import java.util.Arrays;

/// Values of collections that hold bytes, so that these can be listed without the values' classes
/// too. Thread-safe.
record EncodedBy<T>(Codec<T> codec) {
  /// Those of a root, without their classes: as a {@link FormCodec} decodes them.
  static EncodedBy<Object> asForm(Root root) {
    return new EncodedBy<>(FormCodec.of(FormCodec.parts(root.fingerprint()).getLast(), _ -> null));
  }

  byte[] bytes(T value) {
    EncodedOutput out = new EncodedOutput();
    codec.encode(value, out);
    return Arrays.copyOf(out.array(), out.length());
  }

  T value(byte[] bytes) {
    EncodedInput in = new EncodedInput();
    in.reset(bytes, 0, bytes.length);
    return codec.decode(in);
  }
}
