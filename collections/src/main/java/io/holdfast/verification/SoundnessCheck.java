package io.holdfast.verification;

import io.holdfast.codec.CodecException;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.collections.kind.KeyCodecs;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.HeapUsage;
import io.holdfast.core.heap.Root;
import io.holdfast.core.log.LogPool;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.verification.Fault.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/// Proves a region sound, or says what is wrong and where: header, logs, allocator, roots, and
/// every collection to its last element. Changes nothing. An opening that can't trust a region and
/// the `verify` command both ask this class.
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
/// is copied as far as it is freed.
///
/// For one check. What it found may be asked for when {@link #run} has returned.
@SuppressWarnings("exports") // what core does not export is for Holdfast's own modules
public final class SoundnessCheck {
  /// So many faults are kept; more are counted.
  public static final int FAULTS_MAX = 1_000;

  /// So many leaks are reported one by one.
  private static final int LEAKS_MAX = 20;

  private final LongFunction<LongConsumer> progress;
  private final int threads;
  private final KeyCodecs codecs;
  private final List<Fault> faults = new ArrayList<>();
  private final Set<Severity> severities = new HashSet<>();
  private final Map<Root, Long> entries = new LinkedHashMap<>();
  private long faultsFound;
  private boolean wasOpen;
  private HeapUsage usage = new HeapUsage(0, 0, 0, 0, 0);

  /// @param loader of the classes that sorted maps have as keys, to check their order; `null` for
  ///   the JDK's alone
  /// @param threads how many look, at least 1
  /// @param progress is told how many blocks there are, and gives what is told how many more were
  ///   reached
  public SoundnessCheck(ClassLoader loader, int threads, LongFunction<LongConsumer> progress) {
    this.codecs = new KeyCodecs(loader);
    this.threads = threads;
    this.progress = progress;
  }

  /// Looks at all of a region that nobody uses.
  ///
  /// @throws io.holdfast.core.RegionFormatException if it is none
  public void run(HeldRegion view) {
    if (RegionHeader.isUnfinishedCreation(view.memory(), RegionFile.INITIAL_BYTES)) {
      fault(Severity.REPAIRABLE, "header", 0, "a creation that was cut off; nothing is in it");
      return;
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
      check(view);
    } catch (RegionDamagedException e) {
      fault(Severity.DAMAGE, "region", 0, e.getMessage());
    } catch (InternalError e) {
      fault(Severity.DAMAGE, "file", 0, view.memory().faulted(e).getMessage());
    }
  }

  /// What is wrong: the first of them, if there are very many.
  public List<Fault> faults() {
    return List.copyOf(faults);
  }

  /// How many faults there are.
  public long faultsFound() {
    return faultsFound;
  }

  /// Whether there is a fault of a severity.
  public boolean has(Severity severity) {
    return severities.contains(severity);
  }

  /// Whether the region was not closed.
  public boolean wasOpen() {
    return wasOpen;
  }

  /// The collections that could be opened, and how many elements each has in parts without a fault.
  public Map<Root, Long> entries() {
    return entries;
  }

  /// What is used of the heap.
  public HeapUsage usage() {
    return usage;
  }

  private void check(HeldRegion view) {
    Region region = view.region();
    wasOpen = region.report().outcome() == Outcome.RECOVERED;
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
    walk(opened, reached, blocks);
    usage = checkBlocks(region, reached, isWhole && !severities.contains(Severity.DAMAGE));
  }

  private record Opened(Root root, Trail trail, CollectionKind.Walk walk) {}

  /// @return `null` if there is a fault
  private Opened open(Region region, Root root) {
    Trail trail = new Trail(null, root.name() + " (" + root.kind() + ")", root.firstBlock());
    Optional<CollectionKind> kind = CollectionKind.of(root.kind());
    String message = "this version knows no such kind, and can't look into it: kind=" + root.kind();
    if (kind.isPresent()) {
      try {
        return new Opened(root, trail, kind.get().open(region, root, codecs));
      } catch (HoldfastException | CodecException e) {
        message = e.getMessage();
      }
    }
    fault(Severity.DAMAGE, trail.toString(), root.firstBlock(), message);
    return null;
  }

  private void walk(List<Opened> opened, ReachedBlocks reached, long blocks) {
    List<LongAdder> counts = new ArrayList<>();
    LongConsumer advance = progress.apply(blocks);
    try (Crew crew = new Crew(threads)) {
      Inspector inspector =
          new Inspector() {
            @Override
            public boolean reach(long block) {
              advance.accept(1);
              return reached.reach(block);
            }

            @Override
            public void fault(Trail trail, RegionDamagedException fault) {
              SoundnessCheck.this.fault(
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
    for (int i = 0; i < opened.size(); i++) {
      entries.put(opened.get(i).root(), counts.get(i).sum());
    }
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
}
