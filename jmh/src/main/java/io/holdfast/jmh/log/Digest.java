package io.holdfast.jmh.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// A cryptographic digest of the JDK, of which an entry has the first words.
final class Digest implements Checksummed.Sum {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final MessageDigest digest;
  private final byte[] bytes;

  /// @param algorithm one that the JDK has
  Digest(String algorithm) {
    try {
      digest = MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    bytes = new byte[digest.getDigestLength()];
  }

  @Override
  public void of(byte[] data, long[] into) {
    digest.update(data);
    try {
      digest.digest(bytes, 0, bytes.length);
    } catch (DigestException e) {
      throw new IllegalStateException(e);
    }
    for (int i = 0; i < into.length; i++) {
      into[i] = (long) WORDS.get(bytes, i * Long.BYTES);
    }
  }
}
