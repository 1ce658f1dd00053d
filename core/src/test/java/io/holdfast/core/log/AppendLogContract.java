package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.LogFullException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.fixture.CachedMemory;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// What every format of an append log does.
public abstract class AppendLogContract {
  protected static final long AT = 4096;
  private static final long CAPACITY = 4096;
  private static final int SEEDS = 20;

  /// A ring has room for four of these, so that there is always room that was ready before.
  private static final int LONGEST_WITH_ROOM = 100;

  /// The format under test.
  protected abstract LogFormat format();

  /// Lengths of payloads, in words, that the format takes.
  protected abstract int[] lengths();

  /// Round trips to the media for so many appends, none of them in a special case.
  protected long roundTrips(int appends) {
    return appends;
  }

  protected static RecordingMemory memory() {
    RecordingMemory memory = new RecordingMemory();
    memory.grow(1 << 20);
    return memory;
  }

  private AppendLog create(RecordingMemory memory, WhenFull whenFull) {
    return AppendLog.create(memory, AT, CAPACITY, format(), whenFull);
  }

  private AppendLog open(RecordingMemory memory) {
    return AppendLog.open(memory, AT, format(), WhenFull.FAIL);
  }

  /// A payload that tells which one it is; every other one of zeros and ones, which are old content
  /// as likely as not.
  protected long[] payload(Random random, int length) {
    boolean plain = random.nextInt(4) == 0;
    long[] payload = new long[length];
    for (int i = 0; i < length; i++) {
      payload[i] = masked(i, plain ? random.nextInt(2) : random.nextLong());
    }
    return payload;
  }

  /// A word of a payload, without the bits that the format needs.
  protected long masked(int index, long word) {
    return word;
  }

  protected static List<List<Long>> entries(AppendLog log) {
    List<List<Long>> entries = new ArrayList<>();
    log.forEach((end, entry) -> entries.add(Arrays.stream(entry.toArray()).boxed().toList()));
    return entries;
  }

  private static List<Long> boxed(long[] payload) {
    return Arrays.stream(payload).boxed().toList();
  }

  private record Appended(long end, List<Long> payload) {}

  private static List<List<Long>> payloads(Deque<Appended> model) {
    return model.stream().map(Appended::payload).toList();
  }

  /// Many laps of appends, trims and openings, against a queue.
  ///
  /// Shows FVB-3, RANDOM-4.
  @Test
  void appendsTrimsAndWraps() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      RecordingMemory memory = memory();
      AppendLog log = create(memory, WhenFull.FAIL);
      Deque<Appended> model = new ArrayDeque<>();
      for (int i = 0; i < 1_000; i++) {
        int[] lengths = lengths();
        long[] payload = payload(random, lengths[random.nextInt(lengths.length)]);
        try {
          model.add(new Appended(log.append(payload, payload.length), boxed(payload)));
        } catch (LogFullException e) {
          assertThat(entries(log)).as("seed %d", seed).isEqualTo(payloads(model));
          for (int trims = 1 + random.nextInt(model.size()); trims > 1; trims--) {
            model.remove();
          }
          log.trim(model.remove().end());
        }
        if (random.nextInt(50) == 0) {
          log = open(memory);
          assertThat(entries(log)).as("seed %d", seed).isEqualTo(payloads(model));
        }
      }
      assertThat(log.tail()).isGreaterThan(3 * CAPACITY);
      assertThat(entries(log)).as("seed %d", seed).isEqualTo(payloads(model));
    }
  }

  @Test
  void appendsThreeWords() {
    RecordingMemory memory = memory();
    AppendLog log = create(memory, WhenFull.FAIL);
    List<List<Long>> expected = new ArrayList<>();
    if (Arrays.stream(lengths()).noneMatch(length -> length == 3)) {
      return;
    }
    for (long i = 0; i < 20; i++) {
      log.append(i, -i, 7);
      expected.add(List.of(i, -i, 7L));
    }
    assertThat(entries(log)).isEqualTo(expected);
    assertThat(entries(open(memory))).isEqualTo(expected);
  }

  /// One flush-and-fence round trip for each append, also around the ring's end and into space that
  /// was trimmed.
  @Test
  void anAppendIsOneRoundTrip() {
    for (int length : lengths()) {
      Random random = new Random(length);
      RecordingMemory memory = memory();
      AppendLog log = create(memory, WhenFull.FAIL);
      long fences = 0;
      int appends = 0;
      long trimmable = 0;
      while (log.tail() < 3 * CAPACITY && length <= LONGEST_WITH_ROOM) {
        log.trim(trimmable);
        trimmable = log.tail();
        long[] payload = new long[length];
        Arrays.setAll(payload, word -> masked(word, random.nextLong()));
        long before = memory.counts().fences();
        log.append(payload, length);
        fences += memory.counts().fences() - before;
        appends++;
      }
      assertThat(fences).as("fences for %d appends", appends).isEqualTo(roundTrips(appends));
    }
  }

  @Test
  void aFullLogRefusesAndIsAsBefore() {
    RecordingMemory memory = memory();
    AppendLog log = create(memory, WhenFull.FAIL);
    long[] payload = payload(new Random(1), lengths()[0]);
    assertThatExceptionOfType(LogFullException.class)
        .isThrownBy(
            () -> {
              while (true) {
                log.append(payload, payload.length);
              }
            })
        .withMessageContaining("capacity=4096")
        .withMessageContaining("Nothing was appended");
    List<List<Long>> before = entries(log);
    assertThat(before).hasSizeGreaterThan(2).containsOnly(boxed(payload));
    assertThat(entries(open(memory))).isEqualTo(before);
  }

  @Test
  void aFullLogWaitsForATrim() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Condition trimmed = lock.newCondition();
    AppendLog log = create(memory(), WhenFull.block(trimmed));
    long[] payload = payload(new Random(1), lengths()[0]);
    AtomicLong appended = new AtomicLong();
    int many = 1_000;
    Thread appender =
        new Thread(
            () -> {
              for (int i = 0; i < many; i++) {
                lock.lock();
                try {
                  log.append(payload, payload.length);
                  appended.incrementAndGet();
                } finally {
                  lock.unlock();
                }
              }
            });
    appender.start();
    int trimmedEntries = 0;
    while (trimmedEntries < many) {
      lock.lock();
      try {
        List<List<Long>> found = entries(log);
        assertThat(found).allMatch(boxed(payload)::equals);
        trimmedEntries += found.size();
        log.trim(log.tail());
      } finally {
        lock.unlock();
      }
      Thread.onSpinWait();
    }
    appender.join();
    assertThat(appended).hasValue(many);
    assertThat(entries(log)).isEmpty();
  }

  @Test
  void anInterruptedWaitIsRefused() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    AppendLog log = create(memory(), WhenFull.block(lock.newCondition()));
    long[] payload = payload(new Random(1), lengths()[0]);
    List<Throwable> thrown = new ArrayList<>();
    Thread appender =
        new Thread(
            () -> {
              lock.lock();
              try {
                while (true) {
                  log.append(payload, payload.length);
                }
              } catch (LogFullException e) {
                thrown.add(e);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
              } finally {
                lock.unlock();
              }
            });
    appender.start();
    appender.interrupt();
    appender.join();
    assertThat(thrown).singleElement().matches(e -> e.getMessage().contains("interrupted"));
    assertThat(entries(log)).isNotEmpty();
    lock.lock();
    try {
      log.trim(log.tail());
      log.append(payload, payload.length);
    } finally {
      lock.unlock();
    }
    assertThat(entries(log)).containsExactly(boxed(payload));
  }

  /// Twice as long each time; the rings between are dropped when they are trimmed.
  @Test
  void aFullLogExtendsItself() {
    RecordingMemory memory = memory();
    AtomicLong next = new AtomicLong(AT + AppendLog.bytes(CAPACITY));
    List<Long> dropped = new ArrayList<>();
    WhenFull extend =
        WhenFull.extend(
            bytes -> next.getAndAdd(bytes + (-bytes & 63)), (at, bytes) -> dropped.add(at));
    AppendLog log = create(memory, extend);
    Random random = new Random(1);
    Deque<Appended> model = new ArrayDeque<>();
    while (log.capacity() < 8 * CAPACITY) {
      long[] payload = payload(random, lengths()[random.nextInt(lengths().length)]);
      model.add(new Appended(log.append(payload, payload.length), boxed(payload)));
    }
    assertThat(entries(log)).isEqualTo(payloads(model));
    List<Long> extensions = extensions(log);
    assertThat(extensions).hasSize(3);
    AppendLog again = AppendLog.open(memory, AT, format(), extend);
    assertThat(entries(again)).isEqualTo(payloads(model));
    while (model.size() > 1) {
      again.trim(model.remove().end());
      if (model.size() % 50 == 0) {
        assertThat(entries(again)).isEqualTo(payloads(model));
        assertThat(entries(AppendLog.open(memory, AT, format(), extend)))
            .isEqualTo(payloads(model));
      }
    }
    for (int i = 0; i < 1_000; i++) {
      long[] payload = payload(random, lengths()[0]);
      model.add(new Appended(again.append(payload, payload.length), boxed(payload)));
      again.trim(model.remove().end());
    }
    assertThat(again.capacity()).isEqualTo(8 * CAPACITY);
    assertThat(dropped).isEqualTo(extensions.subList(0, 2));
    assertThat(extensions(AppendLog.open(memory, AT, format(), extend)))
        .isEqualTo(extensions.subList(2, 3));
    assertThat(entries(AppendLog.open(memory, AT, format(), extend))).isEqualTo(payloads(model));
  }

  private static List<Long> extensions(AppendLog log) {
    List<Long> extensions = new ArrayList<>();
    log.forEachExtension((at, bytes) -> extensions.add(at));
    return extensions;
  }

  @Test
  void refusesWhatItCannotTake() {
    RecordingMemory memory = memory();
    AppendLog log = create(memory, WhenFull.FAIL);
    int length = lengths()[0];
    long[] payload = payload(new Random(1), length);
    assertThatIllegalArgumentException().isThrownBy(() -> log.append(payload, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> log.append(payload, length + 1));
    if (format().wordsMax() < 10_000) {
      int tooMany = format().wordsMax() + 1;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> log.append(new long[tooMany], tooMany))
          .withMessageContaining("max=" + format().wordsMax());
    } else {
      assertThatExceptionOfType(LogFullException.class)
          .isThrownBy(() -> log.append(new long[600], 600));
    }
    long end = log.append(payload, length);
    assertThatIllegalArgumentException().isThrownBy(() -> log.trim(end + 64));
    assertThat(entries(log)).containsExactly(boxed(payload));
    for (long capacity : new long[] {0, 64, 100, 4095, -4096}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> AppendLog.create(memory, AT, capacity, format(), WhenFull.FAIL));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AppendLog.create(memory, AT + 8, 4096, format(), WhenFull.FAIL));
  }

  /// A head inside of an entry would show nothing or garbage to the next opening.
  @Test
  void trimsToAnEntrysEndAlone() {
    AppendLog log = create(memory(), WhenFull.FAIL);
    List<Long> ends = new ArrayList<>(List.of(0L));
    for (int i = 0; i < 5; i++) {
      ends.add(log.append(payload(new Random(i), lengths()[0]), lengths()[0]));
    }
    log.trim(ends.get(1));
    for (long end = ends.get(1); end <= ends.getLast() + 64; end += 4) {
      if (!ends.contains(end)) {
        long wrong = end;
        assertThatIllegalArgumentException()
            .isThrownBy(() -> log.trim(wrong))
            .withMessageContaining("no entry ends at %d".formatted(wrong));
      }
    }
    assertThat(entries(log)).hasSize(4);
    log.trim(ends.get(4));
    assertThat(entries(log)).hasSize(1);
  }

  @Test
  void anEntryThatFitsNoEmptyLogIsNotWaitedFor() {
    ReentrantLock lock = new ReentrantLock();
    AppendLog log = create(memory(), WhenFull.block(lock.newCondition()));
    int tooLong = (int) Math.min(format().wordsMax(), CAPACITY / 8 + 1);
    if (tooLong * 8L > CAPACITY) {
      lock.lock();
      try {
        assertThatExceptionOfType(LogFullException.class)
            .isThrownBy(() -> log.append(new long[tooLong], tooLong))
            .withMessageContaining("though the log is empty");
      } finally {
        lock.unlock();
      }
    }
  }

  /// The memory throws at any call of an append: nothing is appended after what is there of it.
  ///
  /// Shows APPEND-3.
  @Test
  void anAppendThatFailedHalfwayIsTheLast() {
    long[] payload = payload(new Random(1), lengths()[0]);
    boolean failed = true;
    for (int calls = 0; failed; calls++) {
      CachedMemory memory = new CachedMemory(calls);
      memory.grow(1 << 16);
      AppendLog log = AppendLog.create(memory, AT, CAPACITY, format(), WhenFull.FAIL);
      log.append(payload, payload.length);
      memory.killAfter(calls);
      try {
        log.append(payload, payload.length);
        failed = false;
      } catch (CachedMemory.Killed e) {
        memory.killAfter(Long.MAX_VALUE); // it throws once
        assertThatExceptionOfType(HoldfastException.class)
            .isThrownBy(() -> log.append(payload, payload.length))
            .withMessageContaining("Open it again")
            .withCause(e);
        assertThat(entries(log)).containsExactly(boxed(payload));
        log.trim(log.tail());
        assertThatExceptionOfType(HoldfastException.class)
            .isThrownBy(() -> log.append(payload, payload.length));
      }
    }
  }

  @Test
  void refusesALinkThatLeadsNowhere() {
    RecordingMemory memory = memory();
    long second = AT + AppendLog.bytes(CAPACITY);
    AppendLog log = create(memory, WhenFull.extend(bytes -> second));
    long[] payload = payload(new Random(1), lengths()[0]);
    while (log.capacity() == CAPACITY) {
      log.append(payload, payload.length);
    }
    List<List<Long>> before = entries(log);
    long link = AT + 24;
    assertThat(memory.readPlain(link)).isEqualTo(second);
    for (long wrong : new long[] {AT, second + 8, -64, 1L << 60, second + 64}) {
      memory.writePlain(link, wrong);
      assertThatExceptionOfType(RegionDamagedException.class).isThrownBy(() -> open(memory));
    }
    memory.writePlain(link, second);
    assertThat(entries(open(memory))).isEqualTo(before);
  }

  @Test
  void refusesWhatIsNoLog() {
    RecordingMemory memory = memory();
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> open(memory))
        .withMessageContaining("0x1000");
    create(memory, WhenFull.FAIL).append(payload(new Random(1), lengths()[0]), lengths()[0]);
    List<List<Long>> before = entries(open(memory));
    for (int word = 0; word < 2; word++) {
      long at = AT + word * 8L;
      long value = memory.readPlain(at);
      memory.writePlain(at, value ^ 0x1001);
      assertThatExceptionOfType(RegionDamagedException.class).isThrownBy(() -> open(memory));
      memory.writePlain(at, value);
    }
    assertThat(entries(open(memory))).isEqualTo(before);
  }
}
