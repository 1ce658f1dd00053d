package io.holdfast.stress.kill;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// What a worker tells its parent through its standard output: 16 bytes, written by one system
/// call, which a pipe keeps whole. What was written before a kill reaches the parent after it.
///
/// A JVM that crashes writes there too, while its threads go on with messages. Its text comes
/// between messages, which begin with a zero byte, and has none.
///
/// @param channel whose acknowledgement this is, or {@link #STAGE} or {@link #FAILURE}
/// @param number what is acknowledged, or the ordinal of the stage
record Message(int channel, long number) {
  /// The channel that tells of stages.
  static final int STAGE = -1;

  /// The channel that tells that the worker has failed and is about to end.
  static final int FAILURE = -2;

  private static final int BYTES = 16;

  /// @return `null` at the end; a failure for a byte of text
  static Message readFrom(DataInputStream in) throws IOException {
    try {
      if (in.readByte() != 0) {
        return new Message(FAILURE, 0);
      }
      in.skipNBytes(Integer.BYTES - 1);
      return new Message(in.readInt(), in.readLong());
    } catch (EOFException _) {
      return null;
    }
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(ByteBuffer.allocate(BYTES).putInt(0).putInt(channel).putLong(number).array());
  }
}
