package io.holdfast.recovery;

import io.holdfast.core.memory.PrivateThread;
import io.holdfast.recovery.VerifyReport.RootCount;
import io.holdfast.recovery.VerifyReport.Verdict;
import io.holdfast.verification.Fault.Severity;
import io.holdfast.verification.HeldRegion;
import io.holdfast.verification.SoundnessCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Proves a region sound, or says what is wrong and where, by a {@link SoundnessCheck}.
public final class Verification {
  private Verification() {}

  /// Verifies a region, with as many threads as there are processors.
  ///
  /// @param loader of the classes that are stored, to check the order of sorted maps, and whether
  ///   every element can be read; `null` if they are not at hand
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws io.holdfast.core.RegionFormatException if it is no region
  /// @throws io.holdfast.core.RegionAccessException if it can't be read
  public static VerifyReport verify(Path file, ClassLoader loader, Progress progress) {
    return verify(file, loader, progress, Runtime.getRuntime().availableProcessors());
  }

  /// The same with a number of threads.
  public static VerifyReport verify(Path file, ClassLoader loader, Progress progress, int threads) {
    return PrivateThread.call("holdfast-verify", () -> look(file, loader, progress, threads));
  }

  private static VerifyReport look(Path file, ClassLoader loader, Progress progress, int threads) {
    long started = System.nanoTime();
    Progress.Task[] task = {Progress.NONE.begin("", 0, "")};
    SoundnessCheck check =
        new SoundnessCheck(
            loader,
            threads,
            blocks -> {
              task[0] = progress.begin("verify", blocks, "blocks");
              return task[0]::advance;
            });
    try (HeldRegion view = HeldRegion.of(file)) {
      check.run(view);
      ReadableCheck readable = new ReadableCheck(loader);
      if (loader != null && !check.has(Severity.DAMAGE) && !check.entries().isEmpty()) {
        readable.run(view.region());
      }
      return report(file, check, readable, view.memory().length(), started);
    } finally {
      task[0].close();
    }
  }

  private static VerifyReport report(
      Path file, SoundnessCheck check, ReadableCheck readable, long bytes, long started) {
    List<RootCount> roots =
        check.entries().entrySet().stream()
            .map(
                each ->
                    new RootCount(
                        each.getKey().name(),
                        each.getKey().kind(),
                        each.getKey().fingerprint(),
                        each.getValue()))
            .toList();
    return new VerifyReport(
        file,
        verdict(check, readable),
        check.wasOpen(),
        Stream.concat(check.faults().stream(), readable.faults().stream()).toList(),
        check.faultsFound() + readable.found(),
        roots,
        check.usage().blocks(),
        check.usage().liveBytes(),
        bytes,
        Duration.ofNanos(System.nanoTime() - started));
  }

  private static Verdict verdict(SoundnessCheck check, ReadableCheck readable) {
    if (check.has(Severity.DAMAGE) || check.has(Severity.LEAK)) {
      return Verdict.DAMAGED;
    }
    if (readable.found() > 0) {
      return Verdict.UNREADABLE;
    }
    return check.wasOpen() || check.has(Severity.REPAIRABLE) ? Verdict.RECOVERABLE : Verdict.SOUND;
  }
}
