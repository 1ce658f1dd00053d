package io.holdfast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.Durability;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.redo.BatchLog;
import io.holdfast.core.redo.Disks;
import io.holdfast.testkit.CutDisk;
import io.holdfast.verification.OverlayMemory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores on an ordinary disk that are opened to survive a loss of power.
class DiskPowerFailureTest {
  private static final Holdfast.Options ON_DISK =
      Holdfast.Options.defaults().durability(Durability.POWER_FAILURE);

  @TempDir Path directory;
  private Path file;
  private int cuts;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("s.hf");
  }

  private static Path log(Path store) {
    return store.resolveSibling(store.getFileName() + ".log");
  }

  /// What a loss of power leaves now at the least: the log's writes are durable, and the region's
  /// file is what checkpoints made of it.
  private Path cut() {
    Path copy = directory.resolve("cut" + cuts++ + ".hf");
    try {
      Files.copy(log(file), log(copy)); // first: a checkpoint may be under way
      Files.copy(file, copy);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return copy;
  }

  private void afterACut(Consumer<Holdfast> look) {
    try (Holdfast store = Holdfast.open(cut(), ON_DISK)) {
      look.accept(store);
    }
  }

  /// ACK-1, for each kind of operation outside of blocks.
  @Test
  void ack1WhatReturnedIsDurable() {
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      PersistentHashMap<Long, String> map = store.hashMap("map", Long.class, String.class);
      PersistentTreeMap<Long, String> tree = store.treeMap("tree", Long.class, String.class);
      PersistentQueue<String> queue = store.queue("queue", String.class);
      List<Runnable> changes =
          List.of(
              () -> map.put(1L, "one"),
              () -> map.put(1L, "another"),
              () -> map.putAll(Map.of(2L, "two", 3L, "three")),
              () -> map.merge(2L, "!", String::concat),
              () -> map.remove(3L),
              () -> map.computeIfAbsent(4L, _ -> "four"),
              () -> map.replaceAll((key, value) -> value + key),
              () -> tree.put(1L, "one"),
              () -> tree.putAll(Map.of(2L, "two", 3L, "three")),
              () -> tree.merge(2L, "!", String::concat),
              () -> tree.pollFirstEntry(),
              () -> tree.remove(3L),
              () -> queue.add("a"),
              () -> queue.addAll(List.of("b", "c", "d")),
              () -> queue.poll(),
              () -> queue.remove("c"),
              () -> queue.removeIf("d"::equals),
              () -> map.clear(),
              () -> store.rename("map", "renamed"),
              () -> store.queue("new", Long.class),
              () -> store.delete("new"));
      for (Runnable change : changes) {
        change.run();
        afterACut(
            again -> {
              String name =
                  again.roots().stream().anyMatch(each -> each.name().equals("map"))
                      ? "map"
                      : "renamed";
              assertThat(again.roots()).hasSameSizeAs(store.roots());
              assertThat(again.hashMap(name, Long.class, String.class)).isEqualTo(map);
              assertThat(again.treeMap("tree", Long.class, String.class)).isEqualTo(tree);
              assertThat(again.queue("queue", String.class)).containsExactlyElementsOf(queue);
            });
      }
    }
  }

  /// ACK-1, for blocks; and what is relaxed is durable after `sync`.
  @Test
  void ack1WhatABlockDidIsDurable() throws Exception {
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      PersistentHashMap<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      List<Consumer<Runnable>> blocks =
          List.of(
              store::atomically,
              store::transaction,
              store::allOrNothing,
              body -> {
                store.relaxed(body);
                store.sync();
              });
      for (int i = 0; i < blocks.size(); i++) {
        long value = i;
        blocks
            .get(i)
            .accept(
                () -> {
                  map.put(1L, value);
                  map.put(2L, value);
                });
        afterACut(
            again ->
                assertThat(again.hashMap("map", Long.class, Long.class))
                    .isEqualTo(Map.of(1L, value, 2L, value)));
      }
      AtomicBoolean isThere = new AtomicBoolean();
      Thread.ofVirtual()
          .start(
              () ->
                  store.relaxed(
                      () -> {
                        map.put(1L, 77L);
                        store.onDurable(
                            () ->
                                afterACut(
                                    again ->
                                        isThere.set(
                                            again.hashMap("map", Long.class, Long.class).get(1L)
                                                == 77)));
                      }))
          .join();
      for (int i = 0; i < 1_000 && !isThere.get(); i++) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(isThere).isTrue();
    }
  }

  /// One write that waits for the device, whatever an operation changes; none for reading.
  @Test
  void anOperationIsOneWrite() {
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      PersistentHashMap<Long, String> map = store.hashMap("map", Long.class, String.class);
      map.put(1L, "one");
      PersistenceCounts before = store.persistence();
      map.put(1L, "another");
      assertThat(store.persistence().since(before).fences()).isEqualTo(1);
      before = store.persistence();
      assertThat(map.get(1L)).isEqualTo("another");
      assertThat(map).hasSize(1);
      assertThat(store.persistence().since(before)).isEqualTo(PersistenceCounts.NONE);
      before = store.persistence();
      store.transaction(
          () -> {
            for (long i = 0; i < 100; i++) {
              map.put(i, "value");
            }
          });
      assertThat(store.persistence().since(before).fences()).isEqualTo(1);
    }
  }

  /// Writes, and the bytes of records in them, with keys of 8 bytes; the device writes whole
  /// blocks.
  @Test
  void costsWhatTheTableSays() {
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      PersistentHashMap<Long, Long> words = store.hashMap("words", Long.class, Long.class);
      PersistentHashMap<Long, byte[]> map = store.hashMap("map", Long.class, byte[].class);
      PersistentQueue<Long> queue = store.queue("queue", Long.class);
      for (long i = 0; i < 100; i++) { // so that nothing need grow
        words.put(i, i);
        map.put(i, new byte[100]);
        queue.add(i);
      }
      List<String> costs = new ArrayList<>();
      costs.add(cost(store, "update, a word", () -> words.put(7L, 1L)));
      costs.add(cost(store, "update, 100 bytes", () -> map.put(7L, filled(100))));
      costs.add(cost(store, "removal, a word", () -> words.remove(8L)));
      costs.add(cost(store, "insertion, a word", () -> words.put(8L, 1L)));
      costs.add(cost(store, "removal, 100 bytes", () -> map.remove(8L)));
      costs.add(cost(store, "insertion, 100 bytes", () -> map.put(8L, filled(100))));
      costs.add(cost(store, "offer, a word", () -> queue.add(1L)));
      costs.add(cost(store, "poll", queue::poll));
      assertThat(costs)
          .containsExactly(
              "update, a word: 1, 16",
              "update, 100 bytes: 1, 128",
              "removal, a word: 1, 64",
              "insertion, a word: 1, 80",
              "removal, 100 bytes: 1, 256",
              "insertion, 100 bytes: 1, 432",
              "offer, a word: 1, 64",
              "poll: 1, 16");
    }
  }

  private static byte[] filled(int length) {
    byte[] filled = new byte[length];
    Arrays.fill(filled, (byte) 1);
    return filled;
  }

  private static String cost(Holdfast store, String name, Runnable operation) {
    PersistenceCounts before = store.persistence();
    operation.run();
    PersistenceCounts cost = store.persistence().since(before);
    return "%s: %d, %d".formatted(name, cost.fences(), cost.bytes());
  }

  /// ACK-3: virtual threads wait for a thread of the log's own.
  @Test
  void virtualThreadsShareWrites() throws Exception {
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      PersistentHashMap<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      List<Thread> threads =
          IntStream.range(0, 64)
              .mapToObj(i -> Thread.ofVirtual().start(() -> putSome(map, i * 100L)))
              .toList();
      for (Thread each : threads) {
        each.join();
      }
      assertThat(map).hasSize(640);
      assertThat(store.persistence().fences()).isLessThan(640);
      afterACut(again -> assertThat(again.hashMap("map", Long.class, Long.class)).isEqualTo(map));
    }
  }

  private static void putSome(PersistentHashMap<Long, Long> map, long from) {
    for (long i = from; i < from + 10; i++) {
      map.put(i, i);
    }
  }

  /// ACK-2: while the device is busy with a change, the same key is changed again.
  @Test
  void ack2ALockIsGivenUpFirst() throws Exception {
    Holdfast.open(file).close();
    Path images = Files.createDirectory(directory.resolve("images"));
    AtomicBoolean isArmed = new AtomicBoolean();
    AtomicBoolean wasChanged = new AtomicBoolean();
    AtomicReference<Runnable> change = new AtomicReference<>();
    CutDisk disk =
        new CutDisk(
            images,
            1,
            1,
            _ -> {
              if (isArmed.getAndSet(false)) {
                Thread other = Thread.ofPlatform().start(change.get());
                try {
                  wasChanged.set(other.join(Duration.ofSeconds(20)) && !isArmed.get());
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              }
            });
    disk.knows(file);
    try (RegionFile opened =
            RegionFile.openOn(file, Disks.logged(disk, 4 << 20, Durability.POWER_FAILURE));
        Holdfast store = Holdfast.over(opened.memory())) {
      PersistentHashMap<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      PersistentTreeMap<Long, Long> tree = store.treeMap("tree", Long.class, Long.class);
      PersistentQueue<Long> queue = store.queue("queue", Long.class);
      change.set(
          () ->
              store.relaxed(
                  () -> {
                    if (map.containsValue(1L) || tree.containsValue(1L) || queue.contains(1L)) {
                      map.put(1L, 2L);
                      tree.put(1L, 2L);
                      queue.clear();
                    } else {
                      isArmed.set(true); // the log's thread wrote what was changed before
                    }
                  }));
      for (Runnable first :
          List.<Runnable>of(
              () -> map.put(1L, 1L),
              () -> tree.put(1L, 1L),
              () -> queue.add(1L),
              () -> store.transaction(() -> map.put(1L, 1L)))) {
        wasChanged.set(false);
        isArmed.set(true);
        first.run();
        assertThat(wasChanged).isTrue();
        assertThat(map).containsEntry(1L, 2L);
      }
    }
  }

  @Test
  void aClosedStoreIsOneFile() throws IOException {
    for (int i = 0; i < 4; i++) {
      Holdfast.Options options = i % 2 == 0 ? ON_DISK : Holdfast.Options.defaults();
      try (Holdfast store = Holdfast.open(file, options)) {
        assertThat(store.recovery().outcome()).isEqualTo(i == 0 ? Outcome.CREATED : Outcome.CLEAN);
        PersistentQueue<Integer> queue = store.queue("queue", Integer.class);
        assertThat(queue).hasSize(i);
        queue.add(i);
        assertThat(Files.exists(log(file))).isEqualTo(i % 2 == 0);
      }
      assertThat(log(file)).doesNotExist();
      assertThat(Files.size(file)).isLessThanOrEqualTo(1 << 20);
    }
  }

  @Test
  void whatWasNotClosedIsOpenedForEitherFailure() throws IOException {
    Path first;
    Path second;
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      store.queue("queue", String.class).add("x");
      first = cut();
      second = cut();
    }
    try (Holdfast store = Holdfast.open(first)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(store.queue("queue", String.class)).containsExactly("x");
      assertThat(log(first)).doesNotExist();
    }
    try (Holdfast store = Holdfast.open(second, ON_DISK)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(store.queue("queue", String.class)).containsExactly("x");
    }
  }

  @Test
  void aFileWithoutItsLogIsRefused() throws IOException {
    Path copy;
    Path other;
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      store.queue("queue", String.class).add("x");
      copy = cut();
      other = cut();
    }
    Path moved = directory.resolve("moved.log");
    Files.move(log(copy), moved);
    byte[] before = Files.readAllBytes(copy);
    for (Holdfast.Options options : List.of(ON_DISK, Holdfast.Options.defaults())) {
      assertThatExceptionOfType(RegionFormatException.class)
          .isThrownBy(() -> Holdfast.open(copy, options))
          .withMessageContaining(copy.toString())
          .withMessageContaining("its log is missing")
          .withMessageContaining("restore both");
      assertThat(copy).hasBinaryContent(before);
    }
    Path unrelated = directory.resolve("unrelated.hf");
    try (Holdfast store = Holdfast.open(unrelated, ON_DISK)) {
      store.queue("queue", String.class).add("y");
      Files.copy(log(unrelated), log(copy));
    }
    assertThatExceptionOfType(RegionFormatException.class)
        .isThrownBy(() -> Holdfast.open(copy, ON_DISK))
        .withMessageContaining("another one's");
    Files.move(moved, log(copy), StandardCopyOption.REPLACE_EXISTING);
    try (Holdfast store = Holdfast.open(copy, ON_DISK)) {
      assertThat(store.queue("queue", String.class)).containsExactly("x");
    }
    assertThat(other).exists();
  }

  /// A log beside a file that is complete is nobody's: a backup was put in place, say.
  @Test
  void aLogThatIsNobodysIsNotReplayed() throws IOException {
    Path copy;
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      store.queue("queue", String.class).add("old");
      copy = cut();
    }
    Files.delete(copy);
    Path made = directory.resolve("made.hf");
    Holdfast.open(made).close();
    Files.move(made, copy);
    try (Holdfast store = Holdfast.open(copy, ON_DISK)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(store.roots()).isEmpty();
    }
  }

  /// What becomes of a region's file, beside a log that has all that was committed.
  private interface Harm {
    void to(Path region) throws IOException;
  }

  private static Harm truncatedTo(long bytes) {
    return region -> {
      try (FileChannel channel = FileChannel.open(region, StandardOpenOption.WRITE)) {
        channel.truncate(bytes);
      }
    };
  }

  private static List<Path> filesOf(Path region) {
    return List.of(log(region), region.resolveSibling(region.getFileName() + ".live"), region);
  }

  private static Map<Path, byte[]> bytesOf(Path region) throws IOException {
    Map<Path, byte[]> found = new HashMap<>();
    for (Path each : filesOf(region)) {
      if (Files.exists(each)) {
        found.put(each, Files.readAllBytes(each));
      }
    }
    return found;
  }

  /// Each opening is refused and changes nothing, so the file's return makes the store whole.
  private void logN1(Harm harm, Class<? extends HoldfastException> refusal, String message)
      throws IOException {
    Path copy;
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      store.queue("queue", String.class).add("x");
      copy = cut();
      Files.copy(filesOf(file).get(1), filesOf(copy).get(1));
    }
    byte[] region = Files.readAllBytes(copy);
    harm.to(copy);
    Map<Path, byte[]> before = bytesOf(copy);
    for (Holdfast.Options options :
        List.of(
            ON_DISK, Holdfast.Options.defaults(), ON_DISK.acknowledge(Durability.PROCESS_CRASH))) {
      assertThatExceptionOfType(refusal)
          .isThrownBy(() -> Holdfast.open(copy, options))
          .withMessageContaining(copy.toString())
          .withMessageContaining(message)
          .withMessageContaining("not touched");
      Map<Path, byte[]> after = bytesOf(copy);
      assertThat(after).containsOnlyKeys(before.keySet());
      before.forEach((each, bytes) -> assertThat(after.get(each)).as("%s", each).isEqualTo(bytes));
    }
    Files.write(copy, region);
    try (Holdfast store = Holdfast.open(copy, ON_DISK)) {
      assertThat(store.queue("queue", String.class)).containsOnly("x");
    }
  }

  @Test
  void logN1AFileThatIsEmptyNowDoesNotCostItsLog() throws IOException {
    String message = "the log of a region beside it has what was committed there: ";
    logN1(
        region -> {
          truncatedTo(0).to(region);
          assertThatExceptionOfType(RegionFormatException.class)
              .isThrownBy(() -> OverlayMemory.of(region)) // as tools do
              .withMessageContaining(message);
        },
        RegionFormatException.class,
        message);
    logN1(Files::delete, RegionFormatException.class, message);
    logN1(
        region -> Files.write(region, new byte[(int) RegionFile.INITIAL_BYTES]),
        RegionFormatException.class,
        message);
  }

  @Test
  void logN1AFileThatIsDamagedDoesNotCostItsLog() throws IOException {
    logN1(truncatedTo(100), RegionDamagedException.class, "the region was truncated");
    logN1(truncatedTo(5_000), RegionDamagedException.class, "the region was truncated");
    logN1(
        region -> Files.writeString(region, "another file"),
        RegionFormatException.class,
        "not a Holdfast region");
    logN1(
        region -> {
          byte[] bytes = Files.readAllBytes(region);
          Arrays.fill(bytes, 0, 2 * RegionLayout.PAGE_BYTES, (byte) 1);
          Files.write(region, bytes);
        },
        RegionFormatException.class,
        "not a Holdfast region");
  }

  /// What a loss of power leaves of a store that goes on from what one has left, and whose log's
  /// beginning has moved since.
  private Path goOn(Path from) throws IOException {
    file = directory.resolve("after" + cuts + ".hf");
    if (from != null) {
      mix(from, from, file);
    }
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      PersistentQueue<byte[]> queue = store.queue("queue", byte[].class);
      long start = startOf(log(file));
      while (startOf(log(file)) == start) {
        queue.add(new byte[100_000]);
      }
      queue.add(new byte[cuts]);
      return cut();
    }
  }

  private static void mix(Path file, Path logOf, Path as) throws IOException {
    Files.copy(file, as, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(log(logOf), log(as), StandardCopyOption.REPLACE_EXISTING);
  }

  /// The number of the batch with which replay begins.
  private static long startOf(Path log) throws IOException {
    try (FileChannel channel = FileChannel.open(log)) {
      ByteBuffer headers = ByteBuffer.allocate(2 * Blocks.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      channel.read(headers);
      return Math.max(headers.getLong(56), headers.getLong(Blocks.BYTES + 56));
    }
  }

  /// REACH-1: the log of an earlier or a later moment, or of another future of the same store, has
  /// the region's identity and is not its log.
  @Test
  void reach1AFileAndALogOfDifferentMoments() throws IOException {
    Path before = goOn(null);
    List<Path> moments = List.of(before, goOn(before), goOn(before));
    Path mixed = directory.resolve("mixed.hf");
    for (Path region : moments) {
      for (Path other : moments) {
        mix(region, other, mixed);
        if (region == other) {
          Holdfast.open(mixed, ON_DISK).close();
        } else {
          refuseMixed(mixed);
        }
      }
    }
  }

  private static void refuseMixed(Path mixed) throws IOException {
    byte[] region = Files.readAllBytes(mixed);
    byte[] log = Files.readAllBytes(log(mixed));
    List<ThrowingCallable> openings =
        List.of(
            () -> Holdfast.open(mixed, ON_DISK),
            () -> Holdfast.open(mixed, Holdfast.Options.defaults()),
            () -> OverlayMemory.of(mixed));
    for (ThrowingCallable each : openings) {
      assertThatExceptionOfType(RegionDamagedException.class)
          .isThrownBy(each)
          .withMessageContaining(log(mixed).toString())
          .withMessageContaining("of different moments")
          .withMessageContaining("Nothing was touched");
    }
    assertThat(mixed).hasBinaryContent(region);
    assertThat(log(mixed)).hasBinaryContent(log);
  }

  /// A creation that was cut off has left a log without a batch, or a part of one.
  @Test
  void logN1ACreationThatWasCutOffOpensByItself() throws IOException {
    for (int part : List.of(0, 100_000)) {
      Path begun = directory.resolve("begun" + part + ".hf");
      Files.createFile(begun);
      Files.write(log(begun), new byte[part]);
      try (Holdfast store = Holdfast.open(begun, ON_DISK)) {
        assertThat(store.recovery().outcome()).isEqualTo(Outcome.CREATED);
      }
    }
    Files.createFile(file);
    BatchLog.create(Disk.local(), log(file), 1, 1 << 20).close();
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CREATED);
    }
  }

  /// What is no file is never deleted, and a refusal leaves no file.
  @Test
  void aDirectoryOfThatNameIsNotTouched() throws IOException {
    for (Path each : filesOf(file).subList(0, 2)) {
      Files.createDirectory(each);
      assertRefused(each);
      assertThat(file).doesNotExist();
      Holdfast.open(file).close();
      assertRefused(each);
      Files.delete(file);
      Files.delete(each);
    }
  }

  private void assertRefused(Path taken) throws IOException {
    assertThatExceptionOfType(RegionFormatException.class)
        .isThrownBy(() -> Holdfast.open(file, ON_DISK))
        .withMessageContaining("name is taken by another file: " + taken.toRealPath());
    assertThat(filesOf(file).subList(0, 2)).filteredOn(Files::exists).containsExactly(taken);
  }

  @Test
  void theLogHasTheRightsOfTheFile() throws IOException {
    for (String rights : List.of("rw-------", "rw-rw-r--")) {
      Files.deleteIfExists(file);
      Files.createFile(file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
      try (Holdfast _ = Holdfast.open(file, ON_DISK)) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log(file))))
            .isEqualTo(rights);
      }
    }
  }

  /// A program may have a file of that name.
  @Test
  void anotherFileOfThatNameIsNotTouched() throws IOException {
    byte[] text = "2026-11-25 started\n".repeat(1_000).getBytes(UTF_8);
    Files.write(log(file), text);
    Holdfast.open(file).close();
    assertThatExceptionOfType(RegionFormatException.class)
        .isThrownBy(() -> Holdfast.open(file, ON_DISK))
        .withMessageContaining("its name is taken by another file: " + log(file).toRealPath());
    assertThat(log(file)).hasBinaryContent(text);
    Files.write(log(file), new byte[100_000]); // what a creation that was cut off has left
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      store.queue("queue", String.class).add("x");
    }
    assertThat(log(file)).doesNotExist();
  }

  /// Whose image the kernel would not let this process have, if it counted it.
  @Test
  void aStoreThatIsLongerThanMemory() throws IOException {
    Holdfast.open(file, ON_DISK).close();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long memory = system.getTotalMemorySize() + system.getTotalSwapSpaceSize();
    try (RandomAccessFile longer = new RandomAccessFile(file.toFile(), "rw")) {
      longer.setLength(2 * memory & -RegionLayout.SPAN_BYTES); // LENGTH-1
    }
    for (String text : List.of("a", "b")) {
      try (Holdfast store = Holdfast.open(file, ON_DISK)) {
        store.hashMap("map", String.class, String.class).put(text, text);
      }
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.hashMap("map", String.class, String.class)).hasSize(2);
    }
  }

  /// LENGTH-2, and checkpoints: more is stored than the log has room for.
  @Test
  void aStoreGrowsAndShrinks() {
    byte[] blob = new byte[100_000];
    try (Holdfast store = Holdfast.open(file, ON_DISK)) {
      PersistentHashMap<Long, byte[]> map = store.hashMap("map", Long.class, byte[].class);
      for (int round = 0; round < 3; round++) {
        for (long i = 0; i < 100; i++) {
          Arrays.fill(blob, (byte) (i + round));
          map.put(i, blob);
        }
        int filled = round;
        afterACut(
            again -> {
              PersistentHashMap<Long, byte[]> copy = again.hashMap("map", Long.class, byte[].class);
              assertThat(copy.size()).isEqualTo(100);
              for (long i = 0; i < 100; i++) {
                byte[] expected = new byte[blob.length];
                Arrays.fill(expected, (byte) (i + filled));
                assertThat(Arrays.equals(copy.get(i), expected)).isTrue();
              }
            });
        map.clear();
        store.trim();
      }
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.hashMap("map", Long.class, byte[].class)).isEmpty();
    }
  }
}
