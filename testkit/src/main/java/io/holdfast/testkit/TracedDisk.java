package io.holdfast.testkit;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/// A disk of real files that writes down what a process has it do, for {@link PowerCuts}. Each call
/// is written down before it is made, and no other one is made meanwhile: so the last one of a
/// beginning of the trace is the one that the cut strikes.
public final class TracedDisk extends WatchedDisk implements AutoCloseable {
  private final DataOutputStream trace;

  /// @param trace is made
  public TracedDisk(Path trace) throws IOException {
    this.trace = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(trace)));
  }

  /// Writes down what the program says now: of a cut behind this, it is known.
  ///
  /// @param channel whose word it is
  public synchronized void told(int channel, long number) {
    try {
      noted(told(String.valueOf(channel), number));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static DiskCall told(String channel, long number) {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    return new DiskCall(DiskCall.Kind.TOLD, Path.of(channel), 0, bytes);
  }

  @Override
  void noted(DiskCall what) throws IOException {
    trace.writeByte(what.kind().ordinal());
    trace.writeUTF(what.file().toString());
    trace.writeLong(what.at());
    trace.writeInt(what.bytes().length);
    trace.write(what.bytes());
  }

  @Override
  void begins(DiskCall call) throws IOException {
    noted(call);
  }

  @Override
  public synchronized void close() throws IOException {
    trace.close();
  }
}
