package io.holdfast.collections;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;

/// Strings as their bytes and nothing else, so that a test says how long an element is on media.
public final class RawCodec implements Codec<String> {
  public static final RawCodec RAW = new RawCodec();

  /// A text of a length, which begins with a name and is different at every word.
  public static String text(String name, int length) {
    StringBuilder text = new StringBuilder(length).append(name);
    for (int i = 0; text.length() < length; i++) {
      text.append('.').append(Integer.toString(i * 7919 + name.hashCode(), 36));
    }
    text.setLength(length);
    return text.toString();
  }

  @Override
  public String fingerprint() {
    return "raw";
  }

  @Override
  public void encode(String value, EncodedOutput out) {
    byte[] bytes = value.getBytes(ISO_8859_1);
    out.writeBytes(bytes, 0, bytes.length);
  }

  @Override
  public String decode(EncodedInput in) {
    return new String(in.readBytes(in.remaining()), ISO_8859_1);
  }
}
