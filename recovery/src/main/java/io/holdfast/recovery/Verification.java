package io.holdfast.recovery;

import io.holdfast.codec.CodecException;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.HeapUsage;
import io.holdfast.core.heap.RootDirectory.Root;
import io.holdfast.core.log.LogPool;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.recovery.Region;
import io.holdfast.recovery.Fault.Severity;
import io.holdfast.recovery.VerifyReport.RootCount;
import io.holdfast.recovery.VerifyReport.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// Proves a region sound, or says what is wrong and where: header, logs, allocator, roots, and
/// every collection to its last element. Changes nothing.
///
/// A region that was not closed is looked at as its next opening will leave it: the real recovery
/// runs over the file, into this process's memory ({@link OverlayMemory}).
///
/// - **VERIFY-1** Each used block is reached from the roots exactly once; what is reached is used.
///   A used block that nothing reaches is a leak. Test: VerifyTest.verify1Leaks, and
///   VerifyTest.verify1ABlockThatIsReachedTwice.
/// - **VERIFY-2** A fault does not end the walk: what lies beside it is looked at. Test:
///   VerifyTest.verify2FaultsInSeveralPlaces.
/// - **VERIFY-3** The file's bytes stay as they are. Test: VerifyTest.verify3NothingIsChanged.
///
/// Memory: a bit for each 16 bytes of what is used, a copy of what recovery stores to, and of each
/// part that is looked at what its validator needs. What a crash has left of a deleted collection
/// is copied as far as it is freed; an index that must be made anew is copied whole.
public final class Verification {
  /// So many faults are kept; more are counted.
  static final int FAULTS_MAX = 1_000;

  /// So many leaks are told one by one.
  private static final int LEAKS_MAX = 20;

  private final Path file;
  private final Progress progress;
  private final int threads;
  private final KeyCodecs codecs;
  private final List<Fault> faults = new ArrayList<>();
  private final Set<Severity> severities = new HashSet<>();
  private long faultsFound;

  private Verification(Path file, Progress progress, int threads, ClassLoader loader) {
    this.file = file;
    this.progress = progress;
    this.threads = threads;
    this.codecs = new KeyCodecs(loader);
  }

  /// Verifies a region, with as many threads as there are processors.
  ///
  /// @param loader of the classes that sorted maps have as keys, to check their order; `null` if
  ///   they are not at hand, or are the JDK's
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws io.holdfast.core.RegionFormatException if it is no region
  /// @throws io.holdfast.core.RegionAccessException if it can't be read
  public static VerifyReport verify(Path file, ClassLoader loader, Progress progress) {
    return verify(file, loader, progress, Runtime.getRuntime().availableProcessors());
  }

  /// The same with a number of threads.
  public static VerifyReport verify(Path file, ClassLoader loader, Progress progress, int threads) {
    return new Verification(file, progress, threads, loader).run();
  }

  private VerifyReport run() {
    long started = System.nanoTime();
    try (HeldRegion view = HeldRegion.of(file)) {
      if (RegionHeader.isUnfinishedCreation(view.memory(), RegionFile.INITIAL_BYTES)) {
        fault(Severity.REPAIRABLE, "header", 0, "a creation that was cut off; nothing is in it");
        return report(false, List.of(), null, view.memory().length(), started);
      }
      for (RegionHeader.Copy copy : RegionHeader.copies(view.memory())) {
        if (!copy.isValid()) {
          fault(
              Severity.REPAIRABLE,
              "header",
              copy.offset(),
              "this copy is damaged; if the other is not, the next opening writes it anew");
        }
      }
      try {
        return verify(view, started);
      } catch (RegionDamagedException e) {
        fault(Severity.DAMAGE, "region", 0, e.getMessage());
      } catch (InternalError e) {
        fault(Severity.DAMAGE, "file", 0, view.memory().faulted(e).getMessage());
      }
      return report(false, List.of(), null, view.memory().length(), started);
    }
  }

  private VerifyReport verify(HeldRegion view, long started) {
    Region region = view.region();
    boolean wasOpen = region.report().outcome() == Outcome.RECOVERED;
    Collection<Root> roots = region.roots().all();
    // Before anything frees what a kill left to be freed: in sections, whose logs may have chunks.
    checkLogSpans(region);
    boolean isWhole = true;
    try {
      view.freeDeleted();
    } catch (HoldfastException e) {
      fault(Severity.DAMAGE, "deleted roots", RegionLayout.ANCHOR_DELETED, e.getMessage());
      isWhole = false; // their blocks are no leaks
    }
    ReachedBlocks reached = new ReachedBlocks(region.memory().length());
    region.roots().forEachBlock(reached::reach);
    List<Opened> opened = new ArrayList<>();
    for (Root root : roots) {
      Opened one = open(region, root);
      if (one != null) {
        opened.add(one);
      } else {
        isWhole = false;
      }
    }
    long blocks = region.heap().validator().forEach((block, bytes) -> {}, fault -> {}).blocks();
    List<RootCount> counts = walk(opened, reached, blocks);
    HeapUsage usage =
        checkBlocks(region, reached, isWhole && !severities.contains(Severity.DAMAGE));
    return report(wasOpen, counts, usage, region.memory().length(), started);
  }

  /// A collection that can be walked.
  private interface Walk {
    LongAdder run(Inspector inspector, Trail trail);
  }

  private record Opened(Root root, Trail trail, Walk walk) {}

  /// @return `null` if there is a fault
  private Opened open(Region region, Root root) {
    Trail trail = new Trail(null, root.name() + " (" + root.kind() + ")", root.firstBlock());
    try {
      switch (root.kind()) {
        case PersistentHashMap.KIND -> {
          EntryMap map = new EntryMap(region, root.firstBlock());
          return new Opened(root, trail, map::inspect);
        }
        case PersistentTreeMap.KIND -> {
          EntryTree tree =
              new EntryTree(region, root.firstBlock(), codecs.order(root.fingerprint()));
          return new Opened(root, trail, tree::inspect);
        }
        case PersistentQueue.KIND -> {
          RawCodec codec = new RawCodec(root.fingerprint());
          QueueChain<byte[]> queue = new QueueChain<>(region, codec, root.firstBlock());
          return new Opened(root, trail, (inspector, at) -> inspect(queue, inspector, at));
        }
        default ->
            fault(
                Severity.DAMAGE,
                trail.toString(),
                root.firstBlock(),
                "this version knows no such kind, and can't look into it: kind=" + root.kind());
      }
    } catch (HoldfastException | CodecException e) {
      fault(Severity.DAMAGE, trail.toString(), root.firstBlock(), e.getMessage());
    }
    return null;
  }

  private static LongAdder inspect(QueueChain<byte[]> queue, Inspector inspector, Trail trail) {
    LongAdder count = new LongAdder();
    inspector.run(
        () -> {
          try {
            count.add(queue.validate(inspector));
          } catch (RegionDamagedException e) {
            inspector.fault(trail, e);
          }
        });
    return count;
  }

  private List<RootCount> walk(List<Opened> opened, ReachedBlocks reached, long blocks) {
    List<LongAdder> counts = new ArrayList<>();
    try (Crew crew = new Crew(threads);
        Progress.Task task = progress.begin("verify", blocks, "blocks")) {
      Inspector inspector =
          new Inspector() {
            @Override
            public boolean reach(long block) {
              task.advance(1);
              return reached.reach(block);
            }

            @Override
            public void fault(Trail trail, RegionDamagedException fault) {
              Verification.this.fault(
                  Severity.DAMAGE, trail.toString(), trail.offset(), fault.getMessage());
            }

            @Override
            public void run(Runnable part) {
              crew.run(part);
            }
          };
      for (Opened each : opened) {
        if (!inspector.reach(each.root().firstBlock())) {
          fault(
              Severity.DAMAGE,
              each.trail().toString(),
              each.root().firstBlock(),
              "two roots have this block");
        }
        counts.add(each.walk().run(inspector, each.trail()));
      }
      crew.await();
    }
    List<RootCount> result = new ArrayList<>();
    for (int i = 0; i < opened.size(); i++) {
      Root root = opened.get(i).root();
      result.add(new RootCount(root.name(), root.kind(), root.fingerprint(), counts.get(i).sum()));
    }
    return result;
  }

  /// LOG-5: the logs of a region that was recovered own no chunks.
  private void checkLogSpans(Region region) {
    SpanTable spans = new SpanTable(region.memory(), RegionHeader.read(region.memory()));
    Set<Long> groups = new HashSet<>(LogPool.groups(region.memory(), spans));
    try {
      spans.forEach(
          (offset, word) -> {
            Use use = SpanTable.useOf(word);
            boolean isNobodys =
                use == Use.LOG_CHUNK || use == Use.LOG_GROUP && !groups.contains(offset);
            if (isNobodys) {
              fault(
                  Severity.LEAK,
                  "span table",
                  offset,
                  "a span that is marked as %s, and is no log's".formatted(use));
            }
          });
    } catch (RegionDamagedException e) {
      // The heap's walk, which reads the same words, tells of it.
    }
  }

  /// VERIFY-1.
  private HeapUsage checkBlocks(Region region, ReachedBlocks reached, boolean isWhole) {
    long[] leaks = new long[2];
    HeapUsage usage =
        region
            .heap()
            .validator()
            .forEach(
                (block, bytes) -> {
                  if (isWhole && !reached.isReached(block)) {
                    leaks[1] += bytes;
                    if (leaks[0]++ < LEAKS_MAX) {
                      fault(
                          Severity.LEAK,
                          "allocator",
                          block,
                          "a used block of %d bytes that no root leads to".formatted(bytes));
                    }
                  }
                },
                fault -> fault(Severity.DAMAGE, "allocator", 0, fault.getMessage()));
    if (leaks[0] > LEAKS_MAX) {
      fault(
          Severity.LEAK,
          "allocator",
          0,
          "%d used blocks of %d bytes together that no root leads to, with those above"
              .formatted(leaks[0], leaks[1]));
    }
    return usage;
  }

  private synchronized void fault(Severity severity, String path, long offset, String message) {
    faultsFound++;
    severities.add(severity);
    if (faults.size() < FAULTS_MAX) {
      faults.add(new Fault(severity, path, offset, message));
    }
  }

  private synchronized VerifyReport report(
      boolean wasOpen, List<RootCount> roots, HeapUsage usage, long bytes, long started) {
    Verdict verdict = Verdict.SOUND;
    if (severities.contains(Severity.DAMAGE) || severities.contains(Severity.LEAK)) {
      verdict = Verdict.DAMAGED;
    } else if (wasOpen || severities.contains(Severity.REPAIRABLE)) {
      verdict = Verdict.RECOVERABLE;
    }
    return new VerifyReport(
        file,
        verdict,
        wasOpen,
        List.copyOf(faults),
        faultsFound,
        roots,
        usage == null ? 0 : usage.blocks(),
        usage == null ? 0 : usage.liveBytes(),
        bytes,
        Duration.ofNanos(System.nanoTime() - started));
  }
}
