package io.holdfast.jmh.queue;

import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/// A Chronicle Queue with an appender for each thread, and one unnamed tailer that its readers
/// share under a lock: each tailer of its own would read all elements.
public final class ChronicleQueues implements BenchmarkQueue {
  private final ChronicleQueue queue;
  private final ExcerptTailer tailer;
  private final Queue<ExcerptAppender> appenders = new ConcurrentLinkedQueue<>();

  public ChronicleQueues(Path directory) {
    queue = ChronicleQueue.single(directory.resolve("chronicle").toString());
    tailer = queue.createTailer();
    tailer.singleThreadedCheckDisabled(true);
  }

  @Override
  public Access access() {
    ExcerptAppender appender = queue.createAppender();
    appender.singleThreadedCheckDisabled(true); // closed by another thread
    appenders.add(appender);
    return new Access() {
      @Override
      public void offer(byte[] element) {
        try (DocumentContext document = appender.writingDocument()) {
          document.wire().bytes().write(element);
        }
      }

      @Override
      public byte[] poll() {
        synchronized (tailer) {
          try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
              return null;
            }
            byte[] element = new byte[(int) document.wire().bytes().readRemaining()];
            document.wire().bytes().read(element);
            return element;
          }
        }
      }
    };
  }

  @Override
  public void close() {
    tailer.close();
    appenders.forEach(ExcerptAppender::close);
    queue.close();
  }
}
