package io.holdfast.jmh.bench;

import io.holdfast.jmh.process.Scratch;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/// A Chronicle Queue with its one appender and its one tailer, as its documentation has them: raw
/// bytes in a document context, which it calls fastest, roll cycle and block size as they come
/// (`FAST_DAILY`, 64 MiB).
///
/// What is in the mapped file survives the process, so this is the setting for a process crash.
/// Nothing is ever taken out of a Chronicle Queue: a tailer reads on, and the file grows until its
/// cycle is over. Where the tailer stands survives only if it has a name, and then each read stores
/// it.
final class ChronicleFiles implements AutoCloseable {
  /// Of a tailer whose position is not stored.
  static final String UNNAMED = null;

  private final Scratch scratch = new Scratch();
  private final ChronicleQueue queue;
  private final ExcerptAppender appender;
  private final ExcerptTailer tailer;

  ChronicleFiles(String tailerName) {
    queue = ChronicleQueue.single(scratch.file("chronicle").toString());
    appender = queue.createAppender();
    tailer = queue.createTailer(tailerName);
    // Each is used by one thread only, but not by the one that made it.
    appender.singleThreadedCheckReset();
    tailer.singleThreadedCheckReset();
  }

  void append(byte[] element) {
    try (DocumentContext document = appender.writingDocument()) {
      document.wire().bytes().write(element);
    }
  }

  /// Reads the next element into an array.
  ///
  /// @return whether there is one
  boolean read(byte[] into) {
    try (DocumentContext document = tailer.readingDocument()) {
      if (!document.isPresent()) {
        return false;
      }
      document.wire().bytes().read(into);
      return true;
    }
  }

  @Override
  public void close() {
    tailer.close();
    appender.close();
    queue.close();
    scratch.close();
  }
}
