package io.holdfast.stress.demo;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.nio.file.Path;
import java.util.List;

/// One thread feeds the lines of a text to the queue `in`, the others move them to the queue `out`.
///
/// | root | holds |
/// |---|---|
/// | `in` | lines that were fed and not moved yet |
/// | `fed` | one number: how many lines were fed |
/// | `out` | lines that were moved and that the parent has not taken yet |
///
/// A line is fed in one section with the count, and moved in one section from queue to queue. So
/// after a kill each line is in one queue or the other, once and in order, and the count says where
/// to go on. The parent takes what is in `out` and enters it in a {@link Ledger}.
abstract class LineWorkload implements Workload {
  /// Names the file with the text.
  static final String FILE = "file";

  private static final int FEEDER = 0, MOVERS = 1;

  /// Lines that wait in `in` at most, so that what was fed is moved soon.
  private static final int WAITING_MAX = 1_000;

  /// A thread syncs and acknowledges after so many lines. In between, sections of several threads
  /// wait for each other.
  private static final int ACKNOWLEDGED_EACH = 8;

  /// The queues of an open store.
  record Pipe(PersistentQueue<Line> in, PersistentQueue<Long> fed, PersistentQueue<Line> out) {
    static Pipe of(Holdfast store) {
      return new Pipe(
          store.queue("in", Line.class),
          store.queue("fed", Long.class),
          store.queue("out", Line.class));
    }

    /// Reads all of all queues, and throws if one contradicts itself.
    void validate() {
      for (PersistentQueue<?> queue : List.of(in, fed, out)) {
        long walked = queue.validate();
        Violation.unless(
            walked == queue.size(),
            "a queue's size is wrong: walked=%d, size=%d",
            walked,
            queue.size());
      }
    }

    /// To be called in a section.
    void feed(Text text) {
      long number = fed.remove();
      in.add(text.line(number));
      fed.add(number + 1);
    }

    /// To be called in a section.
    ///
    /// @return `null` if there was none
    Line move() {
      Line line = in.poll();
      if (line != null) {
        out.add(line);
      }
      return line;
    }
  }

  private Text text;
  private Pipe pipe;

  // The model, in the parent.
  private Ledger ledger;
  private long fedAcknowledged;
  private long movedAcknowledged;

  /// In the parent.
  ///
  /// @param text what the workers feed too
  final LineWorkload with(Text fedText) {
    text = fedText;
    ledger = new Ledger(fedText);
    return this;
  }

  final Ledger ledger() {
    return ledger;
  }

  /// Feeds a line, in a section and under a lock.
  abstract void feed(Holdfast store, Pipe to, Text from);

  /// Moves a line, in a section and under another lock.
  abstract Line move(Holdfast store, Pipe through);

  @Override
  public void setUp(Worker worker) {
    text = Text.of(Path.of(worker.parameter(FILE)));
    Pipe opened = Pipe.of(worker.store());
    if (opened.fed().isEmpty()) {
      opened.fed().add(0L);
    }
    pipe = opened;
  }

  @Override
  public void work(Worker worker, int thread) throws InterruptedException {
    long done = 0;
    while (true) {
      Line moved = null;
      if (thread != FEEDER) {
        moved = move(worker.store(), pipe);
      } else if (pipe.in().size() < WAITING_MAX) {
        feed(worker.store(), pipe, text);
        moved = new Line(pipe.fed().element() - 1, "");
      }
      if (moved == null) {
        Thread.sleep(0, 100_000); // the other side is behind
      } else if (++done % ACKNOWLEDGED_EACH == 0) {
        worker.store().sync();
        worker.acknowledge(thread == FEEDER ? FEEDER : MOVERS, moved.number() + 1);
      }
    }
  }

  @Override
  public void acknowledged(int channel, long lines) {
    if (channel == FEEDER) {
      fedAcknowledged = Math.max(fedAcknowledged, lines);
    } else {
      movedAcknowledged = Math.max(movedAcknowledged, lines);
    }
  }

  @Override
  public void check(Holdfast store, int lives) {
    Pipe found = Pipe.of(store);
    found.validate();
    takeOut(found);
    ledger.expectUpTo(movedAcknowledged);
    Long fed = found.fed().peek();
    Violation.unless(
        (fed == null ? 0 : fed) >= fedAcknowledged,
        "P6 acknowledged: lines that were fed are gone: found=%d, acknowledged=%d",
        fed,
        fedAcknowledged);
  }

  private void takeOut(Pipe found) {
    Line line = found.out().poll();
    while (line != null) {
      ledger.add(line);
      line = found.out().poll();
    }
  }

  /// In the parent, at the end: moves what is left, so that every line that was fed has come out.
  final void drain(Holdfast store) {
    Pipe found = Pipe.of(store);
    while (found.move() != null) {
      // on to the next
    }
    takeOut(found);
    if (!found.fed().isEmpty()) {
      ledger.expectUpTo(found.fed().element());
    }
  }

  @Override
  public int killsPerStore() {
    return Integer.MAX_VALUE;
  }
}
