package io.holdfast.verification;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SystemRun;
import io.holdfast.verification.Fault.Severity;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/// Verifies a region before it is served, if the system went down under it, or it was copied while
/// it was open (RUN-1).
///
/// A leak is a fault here: no crash of a process leaves one, so it shows that pages of different
/// moments came together.
///
/// **RUN-3** What is refused stays as it is, byte for byte: the evidence, and what can be salvaged.
/// Test: SystemCrashTest.run3ARefusedFileIsNotChanged.
@SuppressWarnings("exports") // what core does not export is for Holdfast's own modules
public final class AfterSystemCrash {
  private static final long TOLD_EVERY_NANOS = 5_000_000_000L;

  /// The clock is looked at for every so many blocks.
  private static final long BLOCKS_A_LOOK = 1 << 14;

  private static final int FAULTS_SHOWN = 3;

  private final String name;

  private AfterSystemCrash(String name) {
    this.name = name;
  }

  /// Verifies a region if it needs to be, with progress in the log.
  ///
  /// @param memory its file, which this process keeps others from opening
  /// @param skip whether the caller takes what there is
  /// @throws RegionDamagedException if its pages are of different moments; nothing was changed
  public static void verifyIfNeeded(Path file, Memory memory, boolean skip) {
    if (!SystemRun.mayMixMoments(memory, file)) {
      return;
    }
    if (skip) {
      System.getLogger("io.holdfast")
          .log(
              Level.WARNING,
              () ->
                  "%s: the region was not closed, and the system has been started anew since, or the file is a copy, as far as is known: it is served without being verified, and what is read may be wrong"
                      .formatted(memory.name()));
      return;
    }
    new AfterSystemCrash(memory.name()).verify(file, memory.length());
  }

  private void verify(Path file, long bytes) {
    long started = System.nanoTime();
    System.getLogger("io.holdfast")
        .log(
            Level.INFO,
            () ->
                "%s: the region was not closed, and the system has been started anew since, or the file is a copy, as far as is known: what the device has of it may be of different moments, so all of it is verified before it is served: length=%d MiB"
                    .formatted(name, bytes >> 20));
    SoundnessCheck check =
        new SoundnessCheck(null, Runtime.getRuntime().availableProcessors(), this::progress);
    try (HeldRegion view = HeldRegion.ofOwn(file)) {
      check.run(view);
    }
    if (check.has(Severity.DAMAGE) || check.has(Severity.LEAK)) {
      throw refusal(check);
    }
    long entries = check.entries().values().stream().mapToLong(Long::longValue).sum();
    long millis = (System.nanoTime() - started) / 1_000_000;
    System.getLogger("io.holdfast")
        .log(
            Level.INFO,
            () ->
                "%s: the region is sound, and is served: changes of the time before that may be missing: roots=%d, entries=%d, blocks=%d, time=%d ms"
                    .formatted(
                        name, check.entries().size(), entries, check.usage().blocks(), millis));
  }

  private LongConsumer progress(long blocks) {
    AtomicLong done = new AtomicLong();
    AtomicLong next = new AtomicLong(System.nanoTime() + TOLD_EVERY_NANOS);
    return more -> {
      long now = done.addAndGet(more);
      if (now % BLOCKS_A_LOOK == 0) {
        long due = next.get();
        if (System.nanoTime() - due > 0
            && next.compareAndSet(due, System.nanoTime() + TOLD_EVERY_NANOS)) {
          System.getLogger("io.holdfast")
              .log(
                  Level.INFO,
                  () ->
                      "%s: verified: blocks=%d of %d".formatted(name, now, Math.max(now, blocks)));
        }
      }
    };
  }

  private RegionDamagedException refusal(SoundnessCheck check) {
    String shown =
        check.faults().stream()
            .filter(each -> each.severity() != Severity.REPAIRABLE)
            .limit(FAULTS_SHOWN)
            .map(
                each -> "%s, offset=0x%X: %s".formatted(each.path(), each.offset(), each.message()))
            .collect(Collectors.joining("; "));
    return new RegionDamagedException(
        "%s: the region was open for PROCESS_CRASH when the system went down or the file was copied, and its pages are of different moments: faults=%d, the first: %s. The file was not touched; restore it from a backup, see all faults by `holdfast verify`, get out what can be read by `holdfast salvage`, or open it with Options.riskMixedDataAfterSystemCrash(), which serves wrong data without a word"
            .formatted(name, check.faultsFound(), shown));
  }
}
