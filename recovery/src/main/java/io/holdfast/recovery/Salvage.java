package io.holdfast.recovery;

import io.holdfast.codec.CodecException;
import io.holdfast.collections.inspect.Rescue;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.PrivateThread;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.recovery.RootReader.Element;
import io.holdfast.recovery.SalvageReport.Loss;
import io.holdfast.recovery.SalvageReport.SalvagedRoot;
import io.holdfast.verification.HeldRegion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Copies what is readable of a damaged region to a new one, and lists what was lost.
///
/// - **SALVAGE-1** Whatever the file holds, salvage ends with a sound region and a list, or with a
///   refusal; and it does not change the file. Test: SalvageTest.salvage1AnyPagesDamaged.
/// - **SALVAGE-2** Of a region without damage all comes out. Test:
///   SalvageTest.salvage2OfASoundRegionAllComesOut.
///
/// What opening would refuse is replaced, in this process's memory, by what says nothing ({@link
/// RepairedView}). Roots are those that the directory lists; if it can't be read, those that a scan
/// of the file finds by their checksums, which may bring back one that was deleted.
///
/// Entries have no checksums. A page of random bytes does not look like entries, for these must
/// agree with their place and, in maps, with their key's hash; but of an entry over several lines a
/// part can be wrong. Zeros are not taken for room, except at the end of a queue, where nothing
/// says how many elements there were. Pages of another place can look right. What was salvaged is
/// to be looked at by who knows what it means.
///
/// Takes memory for the entries of a collection.
public final class Salvage {
  private static final int LOSSES_MAX = 1_000;
  private static final int AT_A_TIME = 1_000;

  private final HeldRegion held;
  private final RegionBuilder builder;
  private final Progress.Task task;
  private final List<Loss> losses = new ArrayList<>();
  private long lossesFound;

  private Salvage(HeldRegion held, RegionBuilder builder, Progress.Task task) {
    this.held = held;
    this.builder = builder;
    this.task = task;
  }

  /// Salvages a region.
  ///
  /// @param to is made (BUILD-1)
  /// @param loader of the classes that sorted maps have as keys; `null` for the JDK's alone
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws RegionFormatException if it is no region
  /// @throws RegionDamagedException if no root is found in it; nothing was made
  /// @throws io.holdfast.core.RegionAccessException if the new file exists, or the system refuses
  /// @throws io.holdfast.core.RegionFullException if the device has no room
  public static SalvageReport salvage(Path file, Path to, ClassLoader loader, Progress progress)
      throws IOException {
    return PrivateThread.call("holdfast-salvage", () -> make(file, to, loader, progress));
  }

  private static SalvageReport make(Path file, Path to, ClassLoader loader, Progress progress)
      throws IOException {
    List<RegionDamagedException> damagedLog = new ArrayList<>();
    try (HeldRegion held = HeldRegion.damaged(file, damagedLog::add);
        RegionBuilder builder = new RegionBuilder(to, file, loader);
        Progress.Task task = progress.begin("salvage", -1, "entries")) {
      Salvage salvage = new Salvage(held, builder, task);
      for (RegionDamagedException each : damagedLog) {
        salvage.lost("log", 0, "what is in it from there on: " + each.getMessage());
      }
      SalvageReport report = salvage.run();
      builder.finish();
      return report;
    }
  }

  private SalvageReport run() {
    Region region =
        held.region(
            memory ->
                new RepairedView(memory, (offset, what) -> lost("region", offset, what)).open());
    Collection<Root> roots = roots(region);
    if (roots.isEmpty() && lossesFound > 0) {
      throw new RegionDamagedException(
          "%s: nothing can be salvaged: %s. Restore the file from a backup"
              .formatted(region.memory().name(), losses.getLast().message()));
    }
    List<SalvagedRoot> salvaged = new ArrayList<>();
    for (Root root : roots) {
      boolean isAlone =
          roots.stream().filter(each -> layout(each).equals(layout(root))).count() == 1;
      long entries = salvage(region, root, isAlone);
      if (entries >= 0) {
        salvaged.add(new SalvagedRoot(root.name(), root.kind(), root.fingerprint(), entries));
      }
    }
    return new SalvageReport(salvaged, List.copyOf(losses), lossesFound);
  }

  private static String layout(Root root) {
    return CollectionKind.of(root.kind()).map(CollectionKind::layout).orElse(root.kind());
  }

  private Collection<Root> roots(Region region) {
    try {
      Collection<Root> listed = region.roots().all();
      if (!listed.isEmpty() || lossesFound == 0) {
        return listed;
      }
    } catch (RegionDamagedException e) {
      lost("roots", RegionLayout.ANCHOR_ROOTS, e.getMessage());
    }
    lost(
        "roots",
        RegionLayout.ANCHOR_ROOTS,
        "no collection was found; whatever has a root's checksum was tried");
    Map<String, Root> found = new LinkedHashMap<>();
    Set<Long> firstBlocks = new HashSet<>();
    for (Root root : region.roots().scan()) {
      boolean isPossible =
          root.firstBlock() > 0
              && root.firstBlock() % 16 == 0
              && root.firstBlock() < region.memory().length() - RegionLayout.LINE_BYTES;
      if (isPossible && firstBlocks.add(root.firstBlock())) {
        String name = root.name();
        for (int i = 2; found.containsKey(name); i++) {
          name = "%s (%s)".formatted(root.name(), i);
        }
        found.put(
            name,
            new Root(
                name, root.kind(), root.fingerprint(), root.firstBlock(), root.createdMillis()));
      }
    }
    return found.values();
  }

  private void lost(String path, long offset, String message) {
    lossesFound++;
    if (losses.size() < LOSSES_MAX) {
      losses.add(new Loss(path, offset, message));
    }
  }

  /// Gathers what is found, and hands it on some at a time.
  private final class Gathering implements Rescue {
    private final RegionBuilder.Sink sink;
    private final Trail root;
    private List<Element> elements = new ArrayList<>();
    private long count;

    Gathering(RegionBuilder.Sink sink, Trail root) {
      this.sink = sink;
      this.root = root;
    }

    @Override
    public void found(byte[] key, byte[] value) {
      elements.add(new Element(key, value));
      if (elements.size() == AT_A_TIME) {
        flush();
      }
    }

    void flush() {
      try {
        add(elements);
      } catch (CodecException e) { // of one at least: the others are not lost with it
        for (Element each : elements) {
          try {
            add(List.of(each));
          } catch (CodecException one) {
            lost(root, one.getMessage());
          }
        }
      }
      elements = new ArrayList<>();
    }

    private void add(List<Element> some) {
      sink.add(some);
      count += some.size();
      task.advance(some.size());
    }

    @Override
    public void lost(Trail where, String what) {
      Salvage.this.lost(where.toString(), where.offset(), what);
    }
  }

  /// @return how many entries; -1 if the root itself is lost
  private long salvage(Region region, Root root, boolean isAlone) {
    Trail trail = new Trail(null, root.name() + " (" + root.kind() + ")", root.firstBlock());
    Gathering gathering;
    try {
      gathering =
          new Gathering(
              builder.add(root.name(), root.kind(), root.fingerprint(), root.createdMillis()),
              trail);
    } catch (RegionFormatException e) {
      lost(trail.toString(), trail.offset(), e.getMessage());
      return -1;
    }
    try {
      CollectionKind.of(root.kind())
          .orElseThrow() // the builder knows it
          .rescue(region, root, trail, isAlone, gathering);
    } catch (RegionDamagedException e) {
      lost(trail.toString(), trail.offset(), e.getMessage());
    }
    gathering.flush();
    return gathering.count;
  }
}
