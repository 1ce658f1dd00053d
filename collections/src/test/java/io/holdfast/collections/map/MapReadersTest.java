package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.index.StripeIndex;
import io.holdfast.collections.map.slot.KeyedHash;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.core.Durability;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.RecordingMemory;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// A reader that takes no lock, and between any two of whose reads others change what it reads: in
/// its place if only the process dies, else in another slot.
@ParameterizedClass
@EnumSource(Durability.class)
class MapReadersTest {
  private static final int READS = 30;

  @Parameter Durability durability;

  private MapRegion open(Memory memory) {
    boolean isOrdered = durability == Durability.POWER_FAILURE;
    return MapRegion.open(isOrdered ? FlushMode.POSTED.over(memory) : memory, 1).create();
  }

  /// Runs a get, and at its n-th read something else.
  private static String getAmid(HookedMemory memory, MapRegion store, int read, Runnable other) {
    int[] reads = new int[1];
    boolean[] busy = new boolean[1];
    memory.beforeEachRead(
        () -> {
          if (!busy[0] && reads[0]++ == read) {
            busy[0] = true;
            other.run();
            busy[0] = false;
          }
        });
    try {
      return store.get("k");
    } finally {
      memory.beforeEachRead(() -> {});
    }
  }

  private static void amidEachRead(MapRegion store, HookedMemory memory, IntConsumer other) {
    for (int read = 0; read < READS; read++) {
      int now = read;
      String found = getAmid(memory, store, read, () -> other.accept(now));
      assertThat(found).as("other at read %d", read).isIn(store.get("k"), value(read));
      store.put("k", value(read + 1));
    }
  }

  private static String value(int number) {
    return text("%04d".formatted(number), 300);
  }

  /// The slot that is read is made invalid, and used again for another value.
  @Test
  void map6ASlotThatIsReusedUnderIt() {
    HookedMemory memory = new HookedMemory(new RecordingMemory());
    try (MapRegion store = open(memory)) {
      store.put("k", value(0));
      amidEachRead(
          store,
          memory,
          read -> {
            for (int i = 0; i < 4; i++) {
              store.put("k", text("new" + i, 300));
            }
            store.put("k", value(read + 10_000));
          });
    }
  }

  /// The slot that the index has led to is another key's when it is looked at, or another entry of
  /// the key's that is not published yet.
  @Test
  void map6ASlotThatIsAnotherKeysBeforeItIsLookedAt() {
    HookedMemory memory = new HookedMemory(new RecordingMemory());
    try (MapRegion store = open(memory)) {
      putOthers(store); // so that the stripe need not grow, which readers would notice
      store.put("k", value(0));
      amidEachRead(
          store,
          memory,
          read -> {
            store.put("k", value(read + 10_000));
            putOthers(store);
          });
    }
  }

  private static void putOthers(MapRegion store) {
    for (int i = 0; i < 40; i++) {
      store.put("other" + i % 3, text("new" + i, 290));
    }
  }

  /// A reader begins before one of an update's stores, stops before one of its own reads, and goes
  /// on when only the last store is left, which readers are not let in again before. The slot that
  /// it has found is freed meanwhile, and the value overwritten in part.
  @Test
  void map6AReaderAmidAnUpdate() throws Exception {
    int stores = amidAnUpdate(new SlowReader(0), -1, -1);
    for (int store = 0; store < stores; store++) {
      boolean wasSlow = true;
      for (int read = 0; wasSlow; read++) {
        SlowReader reader = new SlowReader(read);
        amidAnUpdate(reader, store, stores - 1);
        assertThat(reader.found.get())
            .as("begun before store %d, stopped before read %d", store, read)
            .isIn("a value", "another");
        wasSlow = reader.wasStopped;
      }
    }
  }

  /// @param first before which store the reader begins
  /// @param last before which it goes on
  /// @return how many stores there are
  private int amidAnUpdate(SlowReader reader, int first, int last) throws InterruptedException {
    HookedMemory memory = new HookedMemory(new RecordingMemory());
    try (MapRegion store = open(memory)) {
      store.put("k", "a value");
      Thread writer = Thread.currentThread();
      int[] stores = new int[1];
      memory.beforeEachRead(reader::beforeRead);
      memory.beforeEachStore(
          () -> {
            if (!Thread.currentThread().equals(writer)) {
              return;
            }
            if (stores[0] == first) {
              reader.begin(store);
            }
            if (stores[0]++ == last) {
              reader.goOn();
            }
          });
      store.put("k", "another");
      reader.end();
      return stores[0];
    }
  }

  /// A transaction that has read several entries asks whether one of them has changed.
  @Test
  void map13AnUpdateChangesTheNumber() {
    try (MapRegion store = open(new RecordingMemory())) {
      store.put("a word..", "1.......");
      store.put("another", "2");

      assertChangesTheNumber(store, () -> store.put("a word..", "3......."));
      assertChangesTheNumber(store, () -> store.put("another", "4"));

      assertThat(store.map().changes()).isEqualTo(4);
    }
  }

  private static void assertChangesTheNumber(MapRegion store, Runnable update) {
    long number = store.map().numberNow(0);
    update.run();
    assertThat(store.map().isStill(0, number)).isFalse();
  }

  /// The segment that is read is split, and its block used again for others.
  @Test
  void map6ASegmentThatIsSplitUnderIt() {
    for (int read = 0; read < READS; read++) {
      HookedMemory memory = new HookedMemory(new RecordingMemory());
      try (MapRegion store = open(memory)) {
        store.put("k", "value");
        String found =
            getAmid(
                memory,
                store,
                read,
                () -> {
                  for (int i = 0; i < 2_000; i++) {
                    store.put("key" + i, "v");
                  }
                });
        assertThat(found).as("others at read %d", read).isEqualTo("value");
      }
    }
  }

  /// An empty index word looks like that of a key whose hash begins with zeros, and the key's own
  /// is behind it.
  @Test
  void aKeyIsFoundBehindAnEmptyWord() {
    KeyedHash hash = new KeyedHash(7, 11);
    long key = 0;
    while (hash.hash(key) >>> MapLayout.LINE_BITS != 0) {
      key++;
    }
    long other = key + 1;
    while (StripeIndex.word(StripeIndex.bucket(0, hash.hash(other)), hash.hash(other), 0)
        != StripeIndex.word(StripeIndex.bucket(0, hash.hash(key)), hash.hash(key), 0)) {
      other++;
    }
    try (MapRegion store = open(new RecordingMemory())) {
      EntryMap map = store.map();
      map.put(Encoded.of(other), Encoded.of(1));
      map.put(Encoded.of(key), Encoded.of(2));
      map.remove(Encoded.of(other));

      assertThat(map.word(key)).isEqualTo(2);
      assertThat(map.word(other)).isEqualTo(EntryMap.NONE);
    }
  }

  /// A thread that gets a value, and stops before one of its reads until it is told to go on.
  private static final class SlowReader {
    private final Semaphore told = new Semaphore(0);
    private FutureTask<String> found;
    private Thread thread;
    private int readsLeft;
    private volatile boolean isStopped;
    private boolean wasStopped;

    SlowReader(int reads) {
      this.readsLeft = reads;
    }

    void begin(MapRegion store) {
      found = new FutureTask<>(() -> store.get("k"));
      thread = Thread.ofPlatform().daemon().unstarted(found);
      thread.start();
      Intruder.awaitEndOrWait(thread);
      wasStopped = isStopped;
    }

    void beforeRead() {
      if (Thread.currentThread().equals(thread) && readsLeft-- == 0) {
        isStopped = true;
        told.acquireUninterruptibly();
        isStopped = false;
      }
    }

    /// Until it has ended, or waits for the lock.
    void goOn() {
      told.release();
      while (isStopped) {
        Thread.yield();
      }
      Intruder.awaitEndOrWait(thread);
    }

    void end() throws InterruptedException {
      if (thread != null) {
        thread.join();
      }
    }
  }
}
