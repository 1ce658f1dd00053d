package io.holdfast.core.redo;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.memory.FreshMapping;
import io.holdfast.core.memory.MappedMemory;
import java.lang.System.Logger.Level;
import java.util.BitSet;

/// Gives back the memory of an image's own pages when a checkpoint has ended: the file has nearly
/// all of them then. It is mapped anew, and the pages that differ are copied there; first while
/// others store, some times over, and the last ones while all stores are held.
///
/// **REMAP-2** A page that is not copied is the same in the file: what was stored to it is in
/// batches that the checkpoint has written, when the stores were made (CHECK-4). A page that is
/// copied has every store of the batches that named it before; what is stored later is named later,
/// or found in the streams while stores are held (REMAP-1). Test:
/// ImageRenewalTest.remap2NoStoreIsLost.
///
/// Readers are never held. The checkpoint's thread does it.
final class ImageRenewal {
  /// So few are copied while stores are held: half a millisecond.
  private static final int REST_PAGES = 256;

  private static final int ROUNDS_MAX = 10;

  /// A store that is under way for longer is one whose thread is not running.
  private static final long PATIENCE_NANOS = 2_000_000;

  private final MappedMemory image;
  private final RedoLog log;
  private final NamedPages unwritten;
  private final ImageBudget budget;

  /// @param unwritten the pages that may differ from what the file has of them
  ImageRenewal(MappedMemory image, RedoLog log, NamedPages unwritten, ImageBudget budget) {
    this.image = image;
    this.log = log;
    this.unwritten = unwritten;
    this.budget = budget;
  }

  /// @return for how long stores were held, in nanoseconds; 0 if the image has no more pages than
  ///   it may
  long run() {
    int most = budget.pages();
    long held = 0;
    int before = log.own();
    if (before > most) {
      held = renew();
      int left = log.own();
      // Not as soon as there is one page more: an image that is stored to all over has as many
      // soon, and what kept this one from its end may last.
      most = left < before ? Math.max(most, 2 * left) : left + most / 4;
    }
    log.allowOwn(most);
    return held;
  }

  private long renew() {
    NamedPages named = log.follow();
    try (FreshMapping fresh = image.mapAgain()) {
      BitSet pages = log.betweenBatches(unwritten::copy);
      pages.set(0, 2); // of which the file has a note of its own (NOTE-1)
      pages.or(log.begin(named).pages());
      int before = Integer.MAX_VALUE;
      for (int round = 0; round < ROUNDS_MAX; round++) {
        copy(pages, fresh);
        pages = log.begin(named).pages();
        int count = pages.cardinality();
        if (count <= REST_PAGES || count > before / 4 * 3) {
          break;
        }
        before = count;
      }
      BitSet rest = pages;
      return log.betweenBatches(() -> replace(fresh, rest, named));
    } catch (RegionAccessException e) {
      System.getLogger("io.holdfast")
          .log(Level.DEBUG, "no second mapping of the image; it keeps its pages", e);
      return 0;
    } finally {
      log.unfollow(named);
    }
  }

  /// @param pages to be copied at least
  private long replace(FreshMapping fresh, BitSet pages, NamedPages named) {
    long started = System.nanoTime();
    RedoStreams streams = log.streams();
    try {
      if (streams.hold(page -> pages.set((int) page), PATIENCE_NANOS)) {
        pages.or(named.copy());
        copy(pages, fresh);
        if (fresh.take()) {
          log.renewed(unwritten.copy(), pages);
        }
      }
    } finally {
      streams.release();
    }
    return System.nanoTime() - started;
  }

  private static void copy(BitSet pages, FreshMapping fresh) {
    for (int page = pages.nextSetBit(0); page >= 0; page = pages.nextSetBit(page + 1)) {
      fresh.copy(page);
    }
  }
}
