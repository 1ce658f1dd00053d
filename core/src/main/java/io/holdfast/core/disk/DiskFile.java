package io.holdfast.core.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/// A file of a {@link Disk}. An interrupt of the calling thread neither closes it nor ends a call.
///
/// **DISK-2** After {@link #write} and {@link #setLength} a loss of power may leave any subset of
/// the file's sectors, of 512 bytes each, as they were, and any length in between, until {@link
/// #force} has returned. A sector that lies in a part by which the file became longer may then hold
/// anything.
///
/// **DISK-3** While {@link #writeDurably} is under way the same holds of what it writes; when it
/// has returned, its bytes are durable, and no other call's.
///
/// **DISK-4** A call that has thrown an exception may have done any part of its work, and a later
/// call that succeeds says nothing about it: the kernel reports a failed write-back once, and then
/// takes the pages for clean. So nobody tries again.
///
/// Threads may call it at the same time; of calls that overlap in the file nothing is promised.
public interface DiskFile extends AutoCloseable {
  long length() throws IOException;

  /// Fills the rest of a buffer.
  ///
  /// @throws java.io.EOFException if the file has fewer bytes
  void read(long at, ByteBuffer into) throws IOException;

  /// Writes the rest of a buffer, which makes the file longer if it has to.
  void write(long at, ByteBuffer from) throws IOException;

  /// Writes the rest of a buffer, durably when it returns.
  ///
  /// @param at a multiple of {@link Blocks#BYTES}, as are the buffer's rest and address
  void writeDurably(long at, ByteBuffer from) throws IOException;

  /// Makes the bytes and the length durable, and empties the device's own cache: what {@link #read}
  /// has shown is durable too, if {@link #readsTheDevice}.
  void force() throws IOException;

  /// Makes the file shorter or longer.
  void setLength(long length) throws IOException;

  /// Whether reading whole blocks shows what the device has. If not, it shows what the page cache
  /// has, where after a write that failed there may be bytes that are on no device.
  boolean readsTheDevice();

  @Override
  void close() throws IOException;
}
