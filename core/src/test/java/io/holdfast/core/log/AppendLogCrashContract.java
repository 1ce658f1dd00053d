package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.fixture.CachedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What every format of an append log keeps in a crash of the process and in a loss of power.
@ParameterizedClass
@EnumSource(Durability.class)
public abstract class AppendLogCrashContract {
  protected static final long AT = 128;
  private static final long FLAG = 0;
  private static final long NEXT_RING = 8;
  private static final long MEMORY_BYTES = 1 << 16;
  private static final int SEEDS = 4;

  @Parameter protected Durability durability;

  /// The format under test.
  protected abstract LogFormat format();

  /// Lengths of payloads to append, in words, several of them.
  protected abstract int[] lengths();

  /// Bytes of a ring that takes a few of these entries.
  protected abstract long capacity();

  /// A word of a payload, without the bits that the format needs.
  protected long masked(int index, long word) {
    return word;
  }

  /// A log, and two words beside it.
  protected final class Store {
    final Memory memory;
    private AppendLog log;

    Store(Memory memory) {
      this.memory = memory;
      if (memory.length() == 0) {
        memory.grow(MEMORY_BYTES);
      }
      boolean exists = memory.readPlain(AT) != 0;
      log =
          exists
              ? AppendLog.open(memory, AT, format(), extend())
              : AppendLog.create(memory, AT, capacity(), format(), extend());
    }

    /// Space after the log; what is taken and not used in the end is lost.
    private WhenFull extend() {
      return WhenFull.extend(
          bytes -> {
            long at = Math.max(memory.readPlain(NEXT_RING), AT + AppendLog.bytes(capacity()));
            memory.writeRelease(NEXT_RING, at + bytes + (-bytes & 63));
            memory.flush(NEXT_RING, 8);
            memory.fence();
            return at;
          });
    }

    AppendLog log() {
      return log;
    }

    void append(int number) {
      long[] payload = payload(number);
      if (payload.length == 3) {
        log.append(payload[0], payload[1], payload[2]);
      } else {
        log.append(payload, payload.length);
      }
    }

    /// Makes a log where this one is, which is lost.
    void makeAnew(long newCapacity) {
      log = AppendLog.create(memory, AT, newCapacity, format(), extend());
    }

    /// Drops the oldest entries.
    void trim(int entries) {
      List<Long> ends = new ArrayList<>();
      log.forEach((end, entry) -> ends.add(end));
      log.trim(ends.get(entries - 1));
    }

    List<List<Long>> state() {
      return AppendLogContract.entries(log);
    }
  }

  /// The payload of an entry with a number: in odd ones, most words are what was there before as
  /// likely as not.
  protected long[] payload(int number) {
    long[] payload = new long[lengths()[number % lengths().length]];
    for (int i = 0; i < payload.length; i++) {
      long word = 0x1111_1111_1111_1111L * (number + 2) + i;
      payload[i] = masked(i, number % 2 == 0 || i == 0 ? word : i % 2);
    }
    return payload;
  }

  private List<Long> boxed(int number) {
    return Arrays.stream(payload(number)).boxed().toList();
  }

  protected final CrashExplorer<Store> explorer(String name) {
    return CrashExplorer.of(format() + ", " + name, Store::new)
        .surviving(durability)
        .bounds(new Bounds(8, 12, 12, 60));
  }

  /// Shows FVB-1, RANDOM-1, VB-3, LINKED-1.
  @Test
  void entriesAreWholeOrNotThere() {
    CrashExplorer<Store> explorer = explorer("append").state(Store::state);
    for (int i = 0; i < lengths().length; i++) {
      int number = i;
      explorer.step("append " + i, store -> store.append(number));
    }
    explorer.explore();
  }

  /// What looks like a log is one whole or not at all: all of the old one is there, or nothing.
  @Test
  void aLogIsMadeWhereOneWas() {
    explorer("create where one was")
        .given(store -> fillUp(store, 0))
        .state(Store::state)
        .step("create", store -> store.makeAnew(2 * capacity()))
        .explore();
  }

  /// In one step, so that nothing but the log orders them.
  @Test
  void whatFollowsAnAppendComesAfterIt() {
    explorer("append, then a store")
        .withoutModel()
        .step(
            "append, store",
            store -> {
              store.append(0);
              store.memory.writePlain(FLAG, 1);
              store.append(1);
              store.memory.writePlain(FLAG, 2);
            })
        .check(
            (store, point) ->
                assertThat(store.state())
                    .hasSizeGreaterThanOrEqualTo((int) store.memory.readPlain(FLAG)))
        .explore();
  }

  /// The ring goes round; every append goes into space that was used and trimmed.
  ///
  /// Shows RING-2.
  @Test
  void trimmedSpaceIsReusedAfterTheHeadMoved() {
    CrashExplorer<Store> explorer =
        explorer("trim and reuse")
            .given(store -> fillUp(store, 0))
            .state(Store::state)
            .thoroughInBothForms();
    for (int i = 0; i < 2 * lengths().length; i++) {
      int number = 100 + i;
      explorer.step("trim " + i, store -> store.trim(1 + store.state().size() / 2));
      explorer.step("append " + i, store -> store.append(number));
    }
    explorer
        .check((store, point) -> assertThat(store.log().capacity()).isEqualTo(capacity()))
        .explore();
  }

  /// Trim and append in one step, so that nothing but the log orders them.
  @Test
  void whatIsTrimmedIsNotMissedBeforeItsEnd() {
    CrashExplorer<Store> explorer =
        explorer("trim and append at once").withoutModel().given(store -> fillUp(store, 0));
    explorer
        .step(
            "twice",
            store -> {
              for (int i = 0; i < 2; i++) {
                store.trim(store.state().size());
                store.append(100 + i);
              }
            })
        .check(
            (store, point) ->
                assertThat(store.state())
                    .isSubsetOf(known(200))
                    .satisfies(
                        state ->
                            assertThat(state.contains(boxed(0)) && state.contains(boxed(100)))
                                .isFalse()))
        .explore();
  }

  protected final void fillUp(Store store, int from) {
    for (int number = from; hasRoom(store); number++) {
      store.append(number);
    }
  }

  protected final boolean hasRoom(Store store) {
    LogRing ring = LogRing.open(store.memory, AT, format());
    long room = 0;
    for (int length : lengths()) {
      room = Math.max(room, format().room(ring, store.log().tail(), length));
    }
    return store.log().tail() + room <= store.log().head() + capacity();
  }

  private List<List<Long>> known(int numbers) {
    List<List<Long>> known = new ArrayList<>();
    for (int i = 0; i < numbers; i++) {
      known.add(boxed(i));
    }
    return known;
  }

  /// Every opening appends an entry too. So an entry is cut off, the next one is appended in its
  /// place and cut off as well, and so on.
  ///
  /// Shows VB-2.
  @Test
  void tornEntriesAreNeverRead() {
    appendInPlaceOfTornEntries(0, 1);
  }

  /// @param numbers what each opening appends: 0 and 1, in some order
  protected final void appendInPlaceOfTornEntries(int... numbers) {
    int first = firstOfBody();
    int appended = 2;
    CrashExplorer<Store> explorer =
        CrashExplorer.of(format() + ", torn entries", memory -> openAndAppend(memory, numbers))
            .surviving(durability)
            .bounds(new Bounds(8, 12, 12, 60))
            .thoroughInBothForms()
            .crashesOfRecovery(2)
            .withoutModel();
    for (int i = 0; i < appended; i++) {
      int number = first + i;
      explorer.step("append " + i, store -> store.append(number));
    }
    explorer.check(this::checkTorn).explore();
  }

  private int firstOfBody() {
    return Math.max(2, lengths().length);
  }

  private Store openAndAppend(Memory memory, int... numbers) {
    Store store = new Store(memory);
    for (int number : numbers) {
      store.append(number);
    }
    return store;
  }

  /// Entries 0 and 1 are those of openings, the others those of the body, in order.
  private void checkTorn(Store store, CrashPoint point) {
    int first = firstOfBody();
    List<List<Long>> found = new ArrayList<>(store.state());
    assertThat(found).isSubsetOf(known(first + 2));
    List<List<Long>> body = found.stream().filter(entry -> isOfBody(entry, first)).toList();
    List<List<Long>> all = List.of(boxed(first), boxed(first + 1));
    assertThat(body)
        .hasSizeBetween(
            point.acknowledged(), point.acknowledged() + (point.inFlight() == null ? 0 : 1))
        .isEqualTo(all.subList(0, body.size()));
  }

  private boolean isOfBody(List<Long> entry, int first) {
    return entry.equals(boxed(first)) || entry.equals(boxed(first + 1));
  }

  /// The first ring is trimmed entry by entry, since a trim over several rings drops them in turn.
  ///
  /// Shows RING-3.
  @Test
  void aFullLogGoesOnInAnotherRing() {
    CrashExplorer<Store> explorer =
        explorer("extend").given(store -> fillUp(store, 0)).state(Store::state);
    int many = 2 * lengths().length;
    for (int i = 0; i < many; i++) {
      int number = 100 + i;
      explorer.step("append " + i, store -> store.append(number));
    }
    for (int i = 0; i < many; i++) {
      explorer.step("trim " + i, store -> store.trim(1));
    }
    explorer
        .step("append", store -> store.append(200))
        .check(
            (store, point) -> {
              if (point.acknowledged() >= many) {
                assertThat(store.log().capacity()).isGreaterThan(capacity());
              }
            })
        .explore();
  }

  /// A fence waits for what its own thread has flushed. So space that one thread has trimmed is
  /// ready for another, and stays ready for itself when another has appended since.
  ///
  /// Shows APPEND-1.
  @Test
  void trimmedSpaceIsReadyForEveryThread() {
    for (String second : List.of("A", "B")) {
      CrashExplorer<Store> explorer =
          explorer("trim by A, append by B, then by " + second)
              .given(store -> fillUp(store, 0))
              .state(Store::state)
              .step("A", "trim", store -> store.trim(store.state().size()))
              .step("B", "append a short one", store -> store.append(numberOf(shortest())))
              .step(second, "append a long one", store -> store.append(numberOf(longest())));
      for (int i = 0; i < lengths().length; i++) {
        int number = 200 + i;
        explorer.step(second, "append " + i, store -> store.append(number));
      }
      explorer.explore();
    }
  }

  private int shortest() {
    return Arrays.stream(lengths()).min().orElseThrow();
  }

  private int longest() {
    return Arrays.stream(lengths()).max().orElseThrow();
  }

  /// A number whose payload has a length.
  private int numberOf(int length) {
    int number = 100;
    while (payload(number).length != length) {
      number++;
    }
    return number;
  }

  /// Which the explorer's images do not show: there everything that an opening reads is on media. A
  /// killed process leaves what it had stored and not flushed, in the cache alone, and the next one
  /// acts upon it.
  ///
  /// Shows APPEND-2.
  @Test
  void whatAKilledProcessLeftIsDurableOnceItWasRead() {
    for (int seed = 0; seed < SEEDS; seed++) {
      boolean killed = true;
      for (int calls = 0; killed; calls++) {
        CachedMemory memory = new CachedMemory(1_000L * seed + calls);
        Store store = new Store(memory);
        fillUp(store, 0);
        memory.killAfter(calls);
        killed = runsUntilKilled(() -> appendTrimAndExtend(store));
        CachedMemory next = memory.restarted();
        checkAfterPowerFailure("seed=%d, calls=%d".formatted(seed, calls), next, calls % 40);
      }
    }
  }

  private void checkAfterPowerFailure(String what, CachedMemory memory, int calls) {
    Store store = new Store(memory);
    List<List<Long>> expected = new ArrayList<>(store.state());
    int read = expected.size();
    int[] acknowledged = {0};
    memory.killAfter(calls);
    runsUntilKilled(
        () -> {
          for (int number = 300; number < 303; number++) {
            expected.add(boxed(number));
            store.append(number);
            acknowledged[0]++;
          }
        });
    List<List<Long>> found = new Store(memory.afterPowerFailure()).state();
    assertThat(found)
        .as(what)
        .hasSizeBetween(read + acknowledged[0], expected.size())
        .isEqualTo(expected.subList(0, found.size()));
  }

  private static boolean runsUntilKilled(Runnable script) {
    try {
      script.run();
      return false;
    } catch (CachedMemory.Killed e) {
      return true;
    }
  }

  private void appendTrimAndExtend(Store store) {
    store.trim(1 + store.state().size() / 2);
    int number = 100;
    for (; hasRoom(store); number++) {
      store.append(number);
    }
    store.trim(1);
    for (; store.log().capacity() == capacity(); number++) {
      store.append(number);
    }
    store.trim(1);
  }

  /// Shows RING-1.
  @Test
  void aLogIsMadeWholeOrNotAtAll() {
    explorer("create")
        .fromAnEmptyFile()
        .state(Store::state)
        .step("append", store -> store.append(0))
        .explore();
  }
}
