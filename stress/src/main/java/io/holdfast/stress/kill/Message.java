package io.holdfast.stress.kill;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// What a worker tells its parent through its standard output: 16 bytes, written by one system
/// call, which a pipe keeps whole. What was written before a kill reaches the parent after it.
///
/// @param channel whose acknowledgement this is, or {@link #STAGE}
/// @param number what is acknowledged, or the ordinal of the stage
record Message(int channel, long number) {
  /// The channel that tells of stages.
  static final int STAGE = -1;

  private static final int BYTES = 16;

  /// @return `null` at the end
  static Message readFrom(DataInputStream in) throws IOException {
    try {
      in.readInt();
      return new Message(in.readInt(), in.readLong());
    } catch (EOFException _) {
      return null;
    }
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(ByteBuffer.allocate(BYTES).putInt(0).putInt(channel).putLong(number).array());
  }
}
