package io.holdfast.collections.map.write;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.Sections;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Puts of up to 255 entries that are there all or not at all, in one round trip (CSO paper, 4.4):
/// their METAs have the same version, which no other batch has, and say how many they are.
///
/// In the root: BATCH (version above, phase in the low two bits), DONE (version), the slots, and of
/// each the next free one (MAP-14).
///
/// **BATCH-1** After a loss of power a batch counts if as many of its slots are whole as META says,
/// or if DONE is not below its version. Else they are made invalid.
///
/// **BATCH-2** DONE is stored after the fence of its batch, and is durable before a slot of that
/// batch is made invalid: or those that are left would be too few. (The paper does not say what
/// becomes of a batch when one of its slots is reused.) The next batch's fence makes it durable, or
/// that of the operation that replaces one of the entries.
///
/// **BATCH-3** If the process dies in phase WRITING, opening makes invalid what has the batch's
/// version; in phase READY it publishes those slots that are not published yet, in their order.
///
/// Thread-safe; one batch at a time.
public final class Batches {
  private static final int PHASE_BITS = 2;
  private static final long PHASE = 3, WRITING = 1, READY = 2;

  private final Memory memory;
  private final Slots slots;
  private final long root;

  /// Where the number of slots is, and after it the slots.
  private final long list;

  /// Of what is in the root, which batches of different stripes share, too. Test:
  /// MapIntruderTest.batch3BatchesOfDifferentStripes.
  private final SectionLock lock;

  /// Up to which version DONE is known to be durable.
  private volatile long durable;

  public Batches(Sections sections, Memory unordered, Slots slots, long root, int stripes) {
    this.lock = new SectionLock(sections, this);
    this.memory = unordered;
    this.slots = slots;
    this.root = root;
    this.list = root + MapLayout.ROOT_STRIPES + (long) stripes * Long.BYTES;
    this.durable = memory.readPlain(root + MapLayout.ROOT_DONE);
  }

  /// Whether an entry is of a batch that DONE may not cover durably.
  public boolean isOpen(long meta) {
    return MapLayout.count(meta) > 1 && MapLayout.version(meta) > durable;
  }

  /// Starts writing DONE back, before a fence of the caller's (BATCH-2).
  void flushDone() {
    memory.flush(root + MapLayout.ROOT_DONE, Long.BYTES);
  }

  /// Before an entry's slot is made invalid without a further fence (BATCH-2).
  void closeBefore(long meta) {
    if (isOpen(meta)) {
      long done = memory.readPlain(root + MapLayout.ROOT_DONE);
      flushDone();
      memory.fence();
      durable = done;
    }
  }

  /// What an entry can't go in a batch without.
  public enum Lack {
    NOTHING,
    STRIPE,
    /// A place in the index.
    PLACE,
    SLOT,
    /// It needs or frees a block of its own.
    SECTION
  }

  /// One entry of a batch.
  public static final class Put {
    public final BatchedStripe stripe;
    public final long hash;
    public final Encoded key;
    public final Encoded value;
    public Lack lack = Lack.NOTHING;
    public long slot;
    public long place;
    public long next;

    public Put(BatchedStripe stripe, long hash, Encoded key, Encoded value) {
      this.stripe = stripe;
      this.hash = hash;
      this.key = key;
      this.value = value;
    }

    /// Bytes of key and value.
    public long payload() {
      return (long) key.length() + value.length();
    }
  }

  /// Stores entries of different keys.
  ///
  /// @param stripes of the entries, in the order in which they are locked
  /// @return the first entry that lacks something, and nothing has changed; `null` if it is done
  public Put put(List<Put> puts, TreeSet<BatchedStripe> stripes) {
    lock.take();
    try {
      // All that giving up the locks needs, before there are any (GIVE-1).
      BatchedStripe first = stripes.first();
      List<BatchedStripe> joined = new ArrayList<>(stripes.size());
      Section section = first.beginBatch();
      try {
        return put(section, first, joined, puts, stripes);
      } catch (VirtualMachineError | LinkageError e) {
        section.breakOff(e); // or threads that wait for a lock would wait for ever (LOCK-4)
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  private Put put(
      Section section,
      BatchedStripe first,
      List<BatchedStripe> joined,
      List<Put> puts,
      TreeSet<BatchedStripe> stripes) {
    try {
      for (BatchedStripe stripe : stripes.tailSet(first, false)) {
        stripe.joinBatch();
        joined.add(stripe);
      }
      closeLast(stripes);
      Put misfit = plan(section, puts);
      if (misfit == null) {
        store(puts, stripes);
      }
      return misfit;
    } catch (VirtualMachineError | LinkageError e) {
      section.breakOff(e); // before it ends
      throw e;
    } finally {
      try {
        for (int i = 0; i < joined.size(); i++) {
          joined.get(i).unlock();
        }
      } finally {
        first.endSection(section);
      }
    }
  }

  /// MAP-2: slots that the last batch has made invalid can be taken by this one.
  private void closeLast(TreeSet<BatchedStripe> stripes) {
    List<BatchedStripe> late =
        stripes.stream().filter(s -> s.state().freedSlots.flushBatch()).toList();
    if (!late.isEmpty()) {
      memory.fence();
      late.forEach(stripe -> stripe.state().freedSlots.areDurable());
    }
  }

  /// Finds a slot for each, and looks whether its bucket has room for all that go there.
  ///
  /// @return the first that lacks something, or `null`
  private static Put plan(Section section, List<Put> puts) {
    if (!section.isAlone()) {
      puts.getFirst().lack = Lack.SECTION;
      return puts.getFirst();
    }
    Map<Long, Integer> news = new HashMap<>();
    Map<Long, long[]> cursors = new HashMap<>();
    for (Put put : puts) {
      put.lack = put.stripe.inBatch().plan(put, news, cursors);
      if (put.lack != Lack.NOTHING) {
        return put;
      }
    }
    return null;
  }

  private void store(List<Put> puts, TreeSet<BatchedStripe> stripes) {
    long version = memory.readPlain(root + MapLayout.ROOT_BATCH) >>> PHASE_BITS;
    for (BatchedStripe stripe : stripes) {
      version = Math.max(version, stripe.state().version());
    }
    version++;
    // BATCH-3: the last batch's end before this one's list. Test:
    // MapBatchCrashTest.batch3BatchesDoNotMingle.
    memory.releaseFence();
    memory.writePlain(list, puts.size());
    for (int i = 0; i < puts.size(); i++) {
      Put put = puts.get(i);
      slots.list(listedAt(i), put.slot, (put.next & 1) == 0 ? put.next : 0);
    }
    // BATCH-3: after the list. Test: MapBatchCrashTest.batch1AllOrNothing.
    memory.writeRelease(root + MapLayout.ROOT_BATCH, version << PHASE_BITS | WRITING);
    memory.releaseFence();
    for (Put put : puts) {
      put.stripe.inBatch().store(put, version, puts.size());
    }
    stripes.forEach(stripe -> stripe.state().freedSlots.flush());
    long done = memory.readPlain(root + MapLayout.ROOT_DONE);
    flushDone(); // BATCH-2
    memory.fence(); // the one round trip
    durable = done;
    stripes.forEach(
        stripe -> {
          stripe.state().freedSlots.areDurable();
          stripe.state().seqlock.hold();
        });
    memory.writeRelease(root + MapLayout.ROOT_BATCH, version << PHASE_BITS | READY);
    for (Put put : puts) {
      put.stripe.inBatch().publish(put, version);
    }
    end(version);
  }

  private void end(long version) {
    memory.writePlain(root + MapLayout.ROOT_DONE, version);
    memory.writeRelease(root + MapLayout.ROOT_BATCH, version << PHASE_BITS);
  }

  /// The version of a batch that the process died in publishing, or 0.
  long readyVersion() {
    long batch = memory.readPlain(root + MapLayout.ROOT_BATCH);
    return (batch & PHASE) == READY ? batch >>> PHASE_BITS : 0;
  }

  /// Says how a slot is published again.
  public interface Publisher {
    /// @param next the next free slot
    void publish(long slot, long next, long version);
  }

  /// Completes or drops what the last process left behind (BATCH-3).
  public void open(Publisher publisher) {
    long batch = memory.readPlain(root + MapLayout.ROOT_BATCH);
    long version = slots.checkVersion(batch >>> PHASE_BITS, root + MapLayout.ROOT_BATCH);
    if ((batch & PHASE) == READY) {
      listed().forEach(each -> publisher.publish(each.slot, each.next, version));
      end(version);
    } else if ((batch & PHASE) == WRITING) {
      List<Listed> dropped = listed();
      dropped.forEach(each -> drop(each.slot, version));
      // BATCH-1: or a loss of power could show the batch. Test: MapRestartCrashTest.atEveryCall.
      memory.fence();
      dropped.forEach(this::relink);
      memory.writeRelease(root + MapLayout.ROOT_BATCH, version << PHASE_BITS);
    }
  }

  /// Makes invalid what was stored.
  private void drop(long slot, long version) {
    long meta = memory.readPlain(slot);
    if (MapLayout.version(meta) == version) {
      memory.writePlain(slot, MapLayout.polarity(meta) ^ 1);
      memory.flush(slot, Long.BYTES);
    }
  }

  /// Makes the free list whole: the links of this slot and of the next one may have been written
  /// over. An entry has its key there, so all of them are invalid durably first.
  private void relink(Listed each) {
    slots.giveBack(each.slot, each.next);
    if (each.next != 0) {
      memory.writePlain(slots.previousAt(slots.checkInside(each.next)), each.slot);
    }
  }

  /// A slot that a batch has taken, and the next free one, or 0.
  private record Listed(long slot, long next) {}

  private long listedAt(long i) {
    return list + (1 + i * slots.listWords()) * Long.BYTES;
  }

  private List<Listed> listed() {
    long count = Math.clamp(memory.readPlain(list), 0, MapLayout.BATCH_MAX);
    List<Listed> found = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      long at = listedAt(i);
      long slot = slots.checkInside(memory.readPlain(at));
      found.add(new Listed(slot, slots.listedNext(at, slot)));
    }
    return found;
  }

  /// In a rebuild, which has dropped, durably, what is of batches that are not complete.
  ///
  /// @param version not below any entry's
  public void rebuilt(long version) {
    end(version);
    flushDone();
    // BATCH-2: before what was replaced in one of them is made invalid.
    // Test: MapBatchCrashTest.batch2ReplacedBeforeARebuild.
    memory.fence();
    durable = version;
  }
}
