package io.holdfast.collections.kind;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;

/// Leaves values as the bytes that they are on media, whatever codec has written them.
///
/// @param fingerprint of that codec
public record RawCodec(String fingerprint) implements Codec<byte[]> {
  @Override
  public void encode(byte[] value, EncodedOutput out) {
    out.writeBytes(value, 0, value.length);
  }

  @Override
  public byte[] decode(EncodedInput in) {
    return in.readBytes(in.remaining());
  }
}
