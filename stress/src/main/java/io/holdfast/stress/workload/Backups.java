package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.recovery.Progress;
import io.holdfast.recovery.Verification;
import io.holdfast.recovery.VerifyReport;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Reopening;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// {@link Payments}, of which one thread makes copies, one after the other, while the others work.
///
/// Checked besides: what has a copy's name is sound and closed (BACKUP-1), and holds whatever was
/// acknowledged before the copy was begun, with the same invariants (P1, P2, P4, P6); a copy that
/// was acknowledged is there; and a kill in the middle harms neither the store nor the next copy.
public final class Backups extends Payments {
  /// The thread that makes copies, and so no payments: its channels are free.
  private static final int COPYING = 0;

  private static final int BEGUN = 0;
  private static final int DONE = 1;
  private static final String NAME = "copy-";
  private static final int COPIES_OF_A_LIFE_MAX = 100_000;

  // The model, in the parent.
  private final Map<Long, Acknowledged> begun = new HashMap<>();
  private final Set<Long> done = new HashSet<>();

  @Override
  public String name() {
    return "backups";
  }

  @Override
  public void work(Worker worker, int thread) {
    if (thread != COPYING) {
      super.work(worker, thread);
      return;
    }
    long number = (long) worker.life() * COPIES_OF_A_LIFE_MAX;
    while (true) {
      worker.acknowledge(BEGUN, number);
      worker.store().backup(worker.store().path().resolveSibling(NAME + number + ".hf"));
      worker.acknowledge(DONE, number);
      number++;
    }
  }

  @Override
  public KillTiming timing() {
    return KillTiming.LONG_WORK;
  }

  @Override
  public void acknowledged(int channel, long number) {
    switch (channel) {
      case BEGUN -> begun.put(number, acknowledged().copy());
      case DONE -> done.add(number);
      default -> super.acknowledged(channel, number);
    }
  }

  @Override
  public void check(Holdfast store, int lives) {
    super.check(store, lives);
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(store.path().getParent(), NAME + "*")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.endsWith(".hf")) {
          long number = Long.parseLong(name.substring(NAME.length(), name.indexOf('.')));
          check(file, begun.get(number));
          done.remove(number);
        }
        Files.deleteIfExists(file); // what a kill has left of others too
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Violation.unless(done.isEmpty(), "P6 acknowledged: copies are not there: %s", done);
    begun.clear();
  }

  private static void check(Path copy, Acknowledged before) {
    VerifyReport report = Verification.verify(copy, Backups.class.getClassLoader(), Progress.NONE);
    Violation.unless(
        report.verdict() == VerifyReport.Verdict.SOUND,
        "BACKUP-1: a copy is not sound: %s %s",
        report.summary(),
        report.faults());
    Reopening.of(copy, store -> BooksCheck.check(Books.in(store), before));
  }
}
