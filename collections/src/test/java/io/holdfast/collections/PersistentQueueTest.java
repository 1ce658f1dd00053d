package io.holdfast.collections;

import static java.util.concurrent.TimeUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import io.holdfast.Holdfast;
import io.holdfast.StoreBeans;
import io.holdfast.StoreMXBean;
import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.memory.RegionFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a queue does that no queue in memory does: it is closed under threads, opened again,
/// bounded anew, and its elements are bytes.
@Timeout(120)
class PersistentQueueTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("queue.hf");
  }

  // Closing.

  @Test
  void closingWakesThoseWhoWait() throws Exception {
    Holdfast store = Holdfast.open(file);
    PersistentQueue<String> empty = store.queue("empty", String.class);
    PersistentQueue<String> full = store.queue("full", String.class, 1);
    full.add("a");
    List<Other<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      waiting.add(Other.start(empty::take));
      waiting.add(Other.start(() -> empty.poll(1_000, DAYS)));
      waiting.add(Other.start(() -> full.offer("b", 1_000, DAYS)));
      waiting.add(
          Other.start(
              () -> {
                full.put("c");
                return null;
              }));
      waiting.add(Other.start(() -> store.atomically(() -> takeOf(empty))));
    }
    for (Other<?> other : waiting) {
      other.awaitWaiting();
    }
    store.close();
    for (Other<?> other : waiting) {
      assertThatExceptionOfType(StoreClosedException.class)
          .isThrownBy(other::result)
          .withMessage(file.toAbsolutePath() + ": the store is closed. Open it again");
    }
    try (Holdfast again = Holdfast.open(file)) {
      assertThat(again.queue("empty", String.class)).isEmpty();
      assertThat(again.queue("full", String.class)).containsExactly("a");
    }
  }

  private static String takeOf(PersistentQueue<String> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyOperationOfAClosedStoreSaysSo() {
    Holdfast store = Holdfast.open(file);
    PersistentQueue<String> queue = store.queue("q", String.class, 5);
    queue.addAll(List.of("a", "b", "c"));
    Iterator<String> each = queue.iterator();
    each.next();
    store.close();
    assertClosed(() -> queue.add("x"));
    assertClosed(() -> queue.offer("x"));
    assertClosed(() -> queue.put("x"));
    assertClosed(() -> queue.offer("x", 1, DAYS));
    assertClosed(queue::poll);
    assertClosed(queue::take);
    assertClosed(() -> queue.poll(1, DAYS));
    assertClosed(queue::peek);
    assertClosed(queue::element);
    assertClosed(queue::remove);
    assertClosed(() -> queue.remove("a"));
    assertClosed(() -> queue.contains("a"));
    assertClosed(() -> queue.removeIf(element -> true));
    assertClosed(queue::size);
    assertClosed(queue::isEmpty);
    assertClosed(queue::remainingCapacity);
    assertClosed(() -> queue.drainTo(new ArrayList<>()));
    assertClosed(queue::clear);
    assertClosed(queue::iterator);
    assertClosed(queue::toArray);
    assertClosed(queue::validate);
    assertClosed(each::next);
    assertClosed(each::remove);
    assertThat(queue.capacity()).isEqualTo(5);
  }

  private interface Use {
    void run() throws Exception;
  }

  private static void assertClosed(Use use) {
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(use::run)
        .withMessageEndingWith(": the store is closed. Open it again");
  }

  /// Threads in the middle of whatever they do find that the store is closed, and nothing else; and
  /// what they were told was done is done.
  @Test
  void closingUnderThreadsThatAreBusy() throws Exception {
    AtomicInteger added = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    for (int round = 0; round < 30; round++) {
      Holdfast store = Holdfast.open(file);
      PersistentQueue<String> queue = store.queue("q", RawCodec.RAW);
      checkAfterClose(queue, added, taken);
      closeUnder(
          store,
          () -> {
            queue.add(numbered(added.get()));
            added.incrementAndGet();
          },
          () -> {
            if (queue.poll() != null) {
              taken.incrementAndGet();
            }
          },
          () -> List.copyOf(queue));
    }
  }

  /// The same with sections, which are whole or not there.
  @Test
  void closingUnderSections() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> from = store.queue("from", RawCodec.RAW);
      IntStream.range(0, 10).forEach(i -> from.add(numbered(i)));
    }
    for (int round = 0; round < 30; round++) {
      Holdfast store = Holdfast.open(file);
      PersistentQueue<String> from = store.queue("from", RawCodec.RAW);
      PersistentQueue<String> to = store.queue("to", RawCodec.RAW);
      assertThat(from.validate() + to.validate()).isEqualTo(10);
      closeUnder(
          store,
          () -> store.atomically(() -> from.drainTo(to, 3)),
          () -> store.atomically(() -> to.drainTo(from, 2)),
          from::size);
    }
  }

  /// Closes a store under threads, and checks that no block is lost or free that is in use.
  private static void closeUnder(Holdfast store, Step... steps) throws Exception {
    CountDownLatch busy = new CountDownLatch(steps.length);
    List<Other<Object>> threads = new ArrayList<>();
    for (Step step : steps) {
      threads.add(Other.start(() -> repeat(busy, step)));
    }
    busy.await();
    store.close();
    for (Other<Object> thread : threads) {
      assertThatExceptionOfType(StoreClosedException.class).isThrownBy(thread::result);
    }
    try (RegionFile file = RegionFile.open(store.path());
        QueueRegion region = QueueRegion.open(file.memory())) {
      region.check();
    }
  }

  private static String numbered(int number) {
    return number + "x".repeat(number % 5 == 0 ? 2_500 : number % 60);
  }

  /// One more may have been added, or taken, than was acknowledged: what was in flight.
  private static void checkAfterClose(
      PersistentQueue<String> queue, AtomicInteger added, AtomicInteger taken) {
    long size = queue.validate();
    String first = queue.isEmpty() ? numbered(added.get()) : queue.peek();
    if (!first.equals(numbered(taken.get()))) {
      taken.incrementAndGet();
    }
    if (size > added.get() - taken.get()) {
      added.incrementAndGet();
    }
    assertThat(queue.stream().map(QueueRegion::shown).toList())
        .isEqualTo(
            IntStream.range(taken.get(), added.get())
                .mapToObj(number -> QueueRegion.shown(numbered(number)))
                .toList());
  }

  private interface Step {
    void run() throws Exception;
  }

  private static Object repeat(CountDownLatch busy, Step step) throws Exception {
    for (int i = 0; ; i++) {
      step.run();
      if (i == 50) {
        busy.countDown();
      }
    }
  }

  // Opening again.

  @Test
  void boundIsNotStored() {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("q", String.class).addAll(List.of("a", "b", "c"));
    }
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class, 2);
      assertThat(queue.capacity()).isEqualTo(2);
      assertThat(queue.remainingCapacity()).isZero();
      assertThat(queue.offer("d")).isFalse();
      queue.remove();
      assertThat(queue.offer("d")).isFalse();
      queue.remove();
      assertThat(queue.offer("d")).isTrue();
      assertThat(queue.offer("e")).isFalse();
      assertThat(queue).containsExactly("c", "d");
    }
  }

  @Test
  void thousandsOfElementsOverManyBlocks() {
    List<Integer> all = IntStream.range(0, 20_000).boxed().toList();
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<Integer> queue = store.queue("q", Integer.class);
      queue.addAll(all);
      assertThat(queue.validate()).isEqualTo(20_000);
      for (int i = 0; i < 5_000; i++) {
        assertThat(queue.poll()).isEqualTo(i);
      }
    }
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<Integer> queue = store.queue("q", Integer.class);
      assertThat(queue.size()).isEqualTo(15_000);
      assertThat(queue.removeIf(element -> element % 2 == 0)).isTrue();
      assertThat(queue.validate()).isEqualTo(7_500);
    }
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<Integer> queue = store.queue("q", Integer.class);
      assertThat(queue.size()).isEqualTo(7_500);
      assertThat(queue).containsExactlyElementsOf(odd(5_000, 20_000));
      List<Integer> drained = new ArrayList<>();
      assertThat(queue.drainTo(drained)).isEqualTo(7_500);
      assertThat(drained).containsExactlyElementsOf(odd(5_000, 20_000));
      assertThat(queue.validate()).isZero();
    }
  }

  private static List<Integer> odd(int from, int to) {
    return IntStream.range(from, to).filter(i -> i % 2 == 1).boxed().toList();
  }

  /// A line, lines, the chain's longest, a block of a slab, spans, more than a mapping's chunk.
  @Test
  void elementsOfAllLengths() {
    int[] lengths = {0, 1, 55, 56, 57, 1911, 1912, 1913, 8_128, 32_768, 32_769, 65_536, 5_000_000};
    List<byte[]> elements = new ArrayList<>();
    for (int length : lengths) {
      byte[] element = new byte[length];
      for (int i = 0; i < length; i++) {
        element[i] = (byte) (i * 31 + length);
      }
      elements.add(element);
    }
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<byte[]> queue = store.queue("q", byte[].class);
      queue.addAll(elements);
      queue.add(elements.get(12)); // and what the removal below frees
      queue.add(elements.get(7));
      assertThat(queue.stream().map(Arrays::hashCode).toList().subList(0, lengths.length))
          .isEqualTo(elements.stream().map(Arrays::hashCode).toList());
    }
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<byte[]> queue = store.queue("q", byte[].class);
      assertThat(queue.validate()).isEqualTo(15);
      for (byte[] element : elements) {
        byte[] found = queue.peek();
        assertThat(found).isNotSameAs(element);
        assertThat(Arrays.equals(found, element)).as("length=%d", element.length).isTrue();
        assertThat(Arrays.equals(queue.poll(), element)).isTrue();
      }
      Iterator<byte[]> each = queue.iterator();
      assertThat(each.next()).hasSize(5_000_000);
      each.remove();
      assertThat(queue.poll()).isEqualTo(elements.get(7));
      assertThat(queue.poll()).isNull();
    }
  }

  /// A region does not grow by what passes through a queue, here 7 MB. The file's length would not
  /// tell: it may be longer by what is prepared, and for moments by what is mapped ahead.
  @Test
  void roomIsUsedAgain() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      StoreMXBean bean = StoreBeans.of(file);
      passThrough(queue);
      long length = bean.getLengthBytes();
      for (int i = 0; i < 20; i++) {
        passThrough(queue);
      }
      assertThat(bean.getLengthBytes()).isEqualTo(length);
    }
  }

  private static void passThrough(PersistentQueue<String> queue) {
    for (int i = 0; i < 200; i++) {
      queue.add("x".repeat(i * 7));
    }
    queue.add("x".repeat(200_000));
    queue.removeIf(element -> element.length() % 3 == 0);
    while (queue.poll() != null) {
      // to the last
    }
  }

  // Elements are bytes.

  /// Writes texts; refuses to write `unwritable`, and to read `unreadable`.
  private static final class Moody implements Codec<String> {
    private boolean isFaulty;

    @Override
    public String fingerprint() {
      return "moody";
    }

    @Override
    public void encode(String value, EncodedOutput out) {
      out.writeString(value);
      if (value.equals("unwritable")) {
        throw new CodecException("refused to write");
      }
    }

    @Override
    public String decode(EncodedInput in) {
      String value = in.readString();
      if (isFaulty && value.equals("unreadable")) {
        throw new CodecException("refused to read");
      }
      return value;
    }
  }

  @Test
  void elementThatCannotBeWrittenIsNotAdded() {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", new Moody());
      queue.add("a");
      assertThatExceptionOfType(CodecException.class).isThrownBy(() -> queue.add("unwritable"));
      assertThatExceptionOfType(CodecException.class).isThrownBy(() -> queue.put("unwritable"));
      assertThat(queue.size()).isEqualTo(1);
      queue.add("b");
      assertThat(queue).containsExactly("a", "b");
      assertThat(queue.validate()).isEqualTo(2);
    }
  }

  @Test
  void elementThatCannotBeReadStays() {
    try (Holdfast store = Holdfast.open(file)) {
      Moody codec = new Moody();
      PersistentQueue<String> queue = store.queue("q", codec);
      queue.addAll(List.of("a", "unreadable", "b"));
      codec.isFaulty = true;
      assertThat(queue.poll()).isEqualTo("a");
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(CodecException.class).isThrownBy(queue::poll);
        assertThatExceptionOfType(CodecException.class).isThrownBy(queue::peek);
        assertThatExceptionOfType(CodecException.class).isThrownBy(queue::take);
        assertThatExceptionOfType(CodecException.class).isThrownBy(queue.iterator()::next);
        assertThatExceptionOfType(CodecException.class)
            .isThrownBy(() -> queue.drainTo(new ArrayList<>()));
        assertThatExceptionOfType(CodecException.class).isThrownBy(queue::validate);
        assertThat(queue.size()).isEqualTo(2);
      }
      queue.add("c");
      assertThat(queue.size()).isEqualTo(3);
    }
  }

  // Sections.

  @Test
  void waitingInASectionHoldsNobodyUp() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      PersistentQueue<String> other = store.queue("other", String.class);
      try (Other<String> taker =
          Other.start(
              () ->
                  store.atomically(
                      () -> {
                        other.add("before");
                        return takeOf(queue);
                      }))) {
        taker.awaitWaiting();
        assertThat(other.poll()).isEqualTo("before");
        other.add("meanwhile");
        assertThat(queue.size()).isZero();
        queue.add("a");
        assertThat(taker.result()).isEqualTo("a");
      }
      store.sync();
      assertThat(other).containsExactly("meanwhile");
    }
  }

  /// The device grows under a thread that is interrupted.
  @Test
  void interruptsHarmNothing() {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<byte[]> queue = store.queue("q", byte[].class);
      for (int i = 0; i < 20; i++) {
        Thread.currentThread().interrupt();
        assertThat(queue.offer(new byte[300_000])).isTrue();
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(queue.validate()).isEqualTo(20);
    }
  }

  // Removing without taking.

  @Test
  void whatIsRemovedAtTheHeadTakesNoRoom() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<Long> queue = store.queue("q", Long.class);
      queue.add(-1L);
      long length = Files.size(file);
      for (long i = 0; i < 40_000; i++) { // of a line each
        queue.add(i);
        if (i % 2 == 0) {
          assertThat(queue.remove(i - 1)).isTrue();
        } else {
          Iterator<Long> each = queue.iterator();
          assertThat(each.next()).isEqualTo(i - 1);
          each.remove();
          assertThat(each.next()).isEqualTo(i);
        }
      }
      assertThat(queue).containsExactly(39_999L);
      assertThat(Files.size(file)).isEqualTo(length);
    }
    try (Holdfast again = Holdfast.open(file)) {
      PersistentQueue<Long> queue = again.queue("q", Long.class);
      assertThat(queue.validate()).isEqualTo(1);
      assertThat(queue.poll()).isEqualTo(39_999L);
    }
  }

  @Test
  void aLookOverManyRemovedElementsTakesMemoryForEachBlockOnce() {
    int count = 300_000;
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<Integer> queue = store.queue("q", Integer.class);
      for (int i = 0; i < count; i++) {
        queue.add(i);
      }
      queue.removeIf(i -> i > 0 && i < count - 1);
      assertThat(queue.poll()).isZero();
      queue.peek();
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      assertThat(queue.peek()).isEqualTo(count - 1);
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
    }
  }
}
