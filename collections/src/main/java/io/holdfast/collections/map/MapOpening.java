package io.holdfast.collections.map;

import io.holdfast.collections.map.repair.StripeRebuild;
import io.holdfast.collections.map.repair.StripeRebuild.Undecided;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.memory.BootId;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes a map usable that another process left: completes what a crash of the process has cut off,
/// or makes the index anew if the operating system has been down since it was written.
public final class MapOpening {
  private final MapParts parts;
  private final Region region;
  private final Memory memory;
  private final long root;
  private final long boot;
  private final Stripes stripes;

  /// @param boot which run of the operating system this is, 0 if unknown
  MapOpening(MapParts parts, long root, long boot, Stripes stripes) {
    this.parts = parts;
    this.region = parts.region();
    this.memory = parts.memory();
    this.root = root;
    this.boot = boot;
    this.stripes = stripes;
  }

  /// Whether opening a map makes its index anew, because the operating system may have lost some of
  /// it: that reads the whole map.
  public static boolean wouldRebuild(Region region, long root) {
    MapRoot.check(region, root);
    return wouldRebuild(region, root, BootId.current());
  }

  private static boolean wouldRebuild(Region region, long root, long boot) {
    long bootBefore = region.memory().readPlain(root + MapLayout.ROOT_BOOT);
    boolean flushedOnly = region.memory().readPlain(root + MapLayout.ROOT_MODE) != 0;
    boolean sameBoot = boot != 0 && boot == bootBefore;
    boolean mayBeOlder =
        flushedOnly
            || region.report().outcome() == Outcome.RECOVERED && boot != 0 && bootBefore != 0;
    return !sameBoot && mayBeOlder;
  }

  /// @param inParallel whether several threads may rebuild
  void run(boolean inParallel) {
    List<Stripe> present = stripes.withBlocks();
    present.forEach(Stripe::check);
    long bootBefore = memory.readPlain(root + MapLayout.ROOT_BOOT);
    boolean flushedOnly = memory.readPlain(root + MapLayout.ROOT_MODE) != 0;
    if (wouldRebuild(region, root, boot)) {
      rebuild(present, inParallel);
    } else {
      present.forEach(Stripe::open);
      parts.batches().open(this::publishAgain);
    }
    long mode = memory.equals(memory.unordered()) ? 0 : 1;
    if (bootBefore != boot || flushedOnly != (mode != 0)) {
      // Both after a rebuild, or the next process would not begin it again; and durable before
      // the index is changed. Test: MapCrashTest.aProcessThatDiesInARebuild,
      // KeyedCrashContract.whoOpensIsNotWhoPuts.
      memory.writeRelease(root + MapLayout.ROOT_MODE, mode);
      memory.writeRelease(root + MapLayout.ROOT_BOOT, boot);
      memory.releaseFence();
    }
  }

  private void publishAgain(long slot, long next, long version) {
    long hash = parts.hash().hash(parts.slots().key(slot));
    stripes.of(hash).publishAgain(hash, slot, next, version);
  }

  private void rebuild(List<Stripe> present, boolean inParallel) {
    long started = System.nanoTime();
    List<StripeRebuild> rebuilds =
        (inParallel ? present.parallelStream() : present.stream()).map(Stripe::rebuild).toList();
    Map<Long, Integer> found = new HashMap<>();
    Set<Long> whole = new HashSet<>();
    for (StripeRebuild rebuild : rebuilds) {
      for (Undecided each : rebuild == null ? List.<Undecided>of() : rebuild.undecided()) {
        long version = MapLayout.version(each.meta());
        if (found.merge(version, 1, Integer::sum) == MapLayout.count(each.meta())) {
          whole.add(version); // BATCH-1
        }
      }
    }
    long highest = 0;
    for (StripeRebuild rebuild : rebuilds) {
      if (rebuild != null) {
        rebuild.drop(whole);
        highest = Math.max(highest, rebuild.version());
      }
    }
    parts.batches().rebuilt(highest);
    long entries = 0;
    for (int i = 0; i < rebuilds.size(); i++) {
      if (rebuilds.get(i) != null) {
        present.get(i).finish(rebuilds.get(i), whole);
      }
      entries += present.get(i).count();
    }
    System.getLogger("io.holdfast")
        .log(
            Level.INFO,
            "%s: the system has been down: a map's index was made anew: entries=%d, time=%d ms"
                .formatted(memory.name(), entries, (System.nanoTime() - started) / 1_000_000));
  }
}
