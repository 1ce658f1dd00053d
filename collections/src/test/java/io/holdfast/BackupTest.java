package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Durability;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import io.holdfast.core.StoreClosedException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Backups of a store in use. `-Dholdfast.backups=N` makes N of them in each test.
final class BackupTest {
  private static final int BACKUPS = Integer.getInteger("holdfast.backups", 6);
  private static final int ACCOUNTS = 2_000;
  private static final long MONEY = 1_000;
  private static final int THREADS = 3;

  @TempDir Path directory;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();

  /// How the store is opened that is copied.
  enum Opened {
    PROCESS_CRASH(Holdfast.Options.defaults()),
    PERSISTENT_MEMORY(
        Holdfast.Options.defaults().durability(Durability.POWER_FAILURE).treatAsPersistentMemory()),
    DISK(Holdfast.Options.defaults().durability(Durability.POWER_FAILURE)),
    RELAXED_ON_DISK(DISK.options.acknowledge(Durability.PROCESS_CRASH));

    private final Holdfast.Options options;

    Opened(Holdfast.Options options) {
      this.options = options;
    }
  }

  private Path path(String name) {
    return directory.resolve(name);
  }

  /// A bank of two maps, a sorted map that indexes one of them, and a queue that tells each move.
  private record Bank(
      Map<Long, Long> checking, Map<Long, Long> savings, Map<Long, Long> index, Queue<Long> moves) {
    static Bank of(Holdfast store) {
      return new Bank(
          store.hashMap("checking", Long.class, Long.class),
          store.hashMap("savings", Long.class, Long.class),
          store.treeMap("index", Long.class, Long.class),
          store.queue("moves", Long.class));
    }

    void open() {
      for (long i = 0; i < ACCOUNTS; i++) {
        checking.put(i, MONEY);
        savings.put(i, MONEY);
        index.put(i, MONEY);
      }
    }

    long sum() {
      return Stream.of(checking, savings)
          .flatMap(map -> map.values().stream())
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  /// Each thread has accounts of its own, so sections need no lock of ours; the queue's depend on
  /// each other.
  private void move(Holdfast store, Bank bank, int thread) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long account = random.nextLong(ACCOUNTS / THREADS) * THREADS + thread;
    long amount = random.nextLong(-50, 50);
    store.atomically(
        () -> {
          long left = bank.checking().merge(account, -amount, Long::sum);
          bank.savings().merge(account, amount, Long::sum);
          bank.index().put(account, left);
          bank.moves().add(account);
          if (bank.moves().size() > 500) {
            bank.moves().poll();
          }
        });
  }

  private List<Thread> start(Runnable... actions) {
    List<Thread> threads = new ArrayList<>();
    for (Runnable action : actions) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (!stop.get()) {
                        action.run();
                      }
                    } catch (StoreClosedException e) {
                      // as the test may want it
                    } catch (RuntimeException | Error e) {
                      thrown.add(e);
                    }
                  }));
    }
    return threads;
  }

  private void end(List<Thread> threads) throws InterruptedException {
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(thrown).isEmpty();
  }

  private static void check(Path backup) {
    try (Holdfast copy = Holdfast.open(backup)) {
      assertThat(copy.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      Bank bank = Bank.of(copy);
      assertThat(bank.sum()).isEqualTo(2 * ACCOUNTS * MONEY);
      assertThat(bank.checking()).isEqualTo(bank.index());
      assertThat(copy.hashMap("checking", Long.class, Long.class).validate()).isEqualTo(ACCOUNTS);
      assertThat(copy.hashMap("savings", Long.class, Long.class).validate()).isEqualTo(ACCOUNTS);
      assertThat(copy.treeMap("index", Long.class, Long.class).validate()).isEqualTo(ACCOUNTS);
      copy.queue("moves", Long.class).validate();
    }
  }

  private Runnable[] movers(Holdfast store, Bank bank) {
    Runnable[] movers = new Runnable[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      movers[i] = () -> move(store, bank, thread);
    }
    return movers;
  }

  /// Shows WATCH-2, COPY-1, COPY-2.
  @ParameterizedTest
  @EnumSource(Opened.class)
  void watch1And2MoneyMoves(Opened opened) throws InterruptedException {
    try (Holdfast store = Holdfast.open(path("bank.hf"), opened.options)) {
      Bank bank = Bank.of(store);
      store.relaxed(bank::open);
      List<Thread> threads = start(movers(store, bank));
      for (int i = 0; i < BACKUPS; i++) {
        BackupReport report = store.backup(path("backup-" + i));
        System.out.println(opened + " " + report);
      }
      end(threads);
      assertThat(bank.sum()).isEqualTo(2 * ACCOUNTS * MONEY);
    }
    for (int i = 0; i < BACKUPS; i++) {
      check(path("backup-" + i));
    }
    check(path("bank.hf"));
  }

  @ParameterizedTest
  @EnumSource(Opened.class)
  void whileItGrowsAndIsTrimmed(Opened opened) throws InterruptedException {
    try (Holdfast store = Holdfast.open(path("bank.hf"), opened.options)) {
      Bank bank = Bank.of(store);
      store.relaxed(bank::open);
      List<Thread> threads = start(movers(store, bank));
      threads.addAll(
          start(
              () -> {
                Map<Long, byte[]> large = store.hashMap("large", Long.class, byte[].class);
                for (long i = 0; i < 40; i++) {
                  large.put(i, new byte[100_000]);
                }
                store.delete("large");
                store.trim();
              }));
      for (int i = 0; i < BACKUPS; i++) {
        store.backup(path("backup-" + i), 64L << 20);
      }
      end(threads);
    }
    for (int i = 0; i < BACKUPS; i++) {
      check(path("backup-" + i));
    }
    check(path("bank.hf"));
  }

  /// A file that was trimmed is cut when it is closed, on a disk.
  @ParameterizedTest
  @EnumSource(Opened.class)
  void ofAFileThatIsLongerThanItsRegion(Opened opened) throws Exception {
    try (Holdfast store = Holdfast.open(path("bank.hf"), opened.options)) {
      Bank bank = Bank.of(store);
      store.relaxed(bank::open);
      Map<Long, byte[]> large = store.hashMap("large", Long.class, byte[].class);
      large.put(1L, new byte[50_000_000]);
      store.delete("large");
      store.trim();
      AtomicLong longest = new AtomicLong();
      List<Thread> threads =
          start(() -> longest.accumulateAndGet(path("backup.part").toFile().length(), Math::max));
      BackupReport report = store.backup(path("backup"));
      end(threads);
      assertThat(longest).hasValueLessThan(20_000_000);
      assertThat(report.copied()).isLessThan(20_000_000);
    }
    check(path("backup"));
  }

  /// Shows MAPPING-4.
  @ParameterizedTest
  @EnumSource(Opened.class)
  void oneBackupAfterTheOther(Opened opened) throws InterruptedException {
    try (Holdfast store = Holdfast.open(path("bank.hf"), opened.options)) {
      Bank bank = Bank.of(store);
      store.relaxed(bank::open);
      List<Thread> threads = start(movers(store, bank));
      for (int i = 0; i < 5 * BACKUPS; i++) {
        Path backup = path("backup-" + i);
        store.backup(backup);
        check(backup);
      }
      end(threads);
    }
  }

  @ParameterizedTest
  @EnumSource(Opened.class)
  void twoAtATime(Opened opened) throws Exception {
    try (Holdfast store = Holdfast.open(path("bank.hf"), opened.options)) {
      Map<Integer, byte[]> blocks = store.hashMap("blocks", Integer.class, byte[].class);
      for (int i = 0; i < 64; i++) { // or the copy could be over at once
        byte[] block = new byte[1 << 16];
        Arrays.fill(block, (byte) 1);
        blocks.put(i, block);
      }
      Thread other = Thread.ofPlatform().start(() -> store.backup(path("slow"), 2 << 20));
      File part = path("slow.part").toFile();
      while (part.length() == 0) { // the copy has begun, not its file alone
        Thread.sleep(1);
      }
      Throwable refused = null;
      while (refused == null && other.isAlive()) {
        try {
          store.backup(path("second"));
          Files.deleteIfExists(path("second"));
        } catch (IllegalStateException e) {
          refused = e;
        }
      }
      assertThat(refused).hasMessageContaining("a copy of the store is being made already");
      other.join();
      assertThat(path("slow")).exists();
    }
  }

  @Test
  void backup1NothingIsLeftOfOneThatFails() throws Exception {
    Holdfast store = Holdfast.open(path("bank.hf"));
    Bank bank = Bank.of(store);
    store.relaxed(bank::open);
    List<Thread> threads = start(movers(store, bank));
    AtomicBoolean closed = new AtomicBoolean();
    Thread closer =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!Files.exists(path("backup.part"))) {
                    Thread.onSpinWait();
                  }
                  store.close();
                  closed.set(true);
                });
    assertThatThrownBy(() -> store.backup(path("backup"), 100_000))
        .isInstanceOf(StoreClosedException.class);
    closer.join();
    end(threads);
    assertThat(path("backup")).doesNotExist();
    assertThat(path("backup.part")).doesNotExist();
  }

  @Test
  void whatIsThereIsRefused() throws IOException {
    Files.writeString(path("mine"), "mine");
    try (Holdfast store = Holdfast.open(path("bank.hf"))) {
      assertThatThrownBy(() -> store.backup(path("mine")))
          .isInstanceOf(RegionAccessException.class);
      assertThatThrownBy(() -> store.backup(path("no/such/directory")))
          .isInstanceOf(RegionAccessException.class);
    }
    assertThat(path("mine")).hasContent("mine");
  }

  /// Opens a store and makes a backup of it for minutes.
  static final class SlowBackup {
    public static void main(String[] files) {
      try (Holdfast store = Holdfast.open(Path.of(files[0]))) {
        store.backup(Path.of(files[1]), 10_000);
      }
    }
  }

  private ChildJvm slowBackup() throws IOException {
    ChildJvm child =
        ChildJvm.start(SlowBackup.class, path("bank.hf").toString(), path("backup").toString());
    while (!Files.exists(path("backup.part")) || Files.size(path("backup.part")) == 0) {
      Thread.onSpinWait();
    }
    return child;
  }

  @Test
  void aBackupThatWasKilledDoesNotBlockTheNext() throws Exception {
    try (Holdfast store = Holdfast.open(path("bank.hf"))) {
      Bank.of(store).open();
    }
    try (ChildJvm child = slowBackup()) {
      assertThat(child.kill()).isEqualTo(ChildJvm.KILLED);
    }
    assertThat(path("backup.part")).exists();
    assertThatThrownBy(() -> Holdfast.open(path("backup.part")))
        .isInstanceOf(RegionAccessException.class); // half of one is not taken for a store
    try (Holdfast store = Holdfast.open(path("bank.hf"))) {
      store.backup(path("backup"));
      assertThat(directory.toFile().list())
          .containsExactlyInAnyOrder("bank.hf", "bank.hf.lock", "backup");
    }
    check(path("backup"));
  }

  @Test
  void aBackupThatAnotherProcessMakesIsLeftAlone() throws Exception {
    try (Holdfast store = Holdfast.open(path("bank.hf"))) {
      Bank.of(store).open();
    }
    try (Holdfast other = Holdfast.open(path("other.hf"));
        ChildJvm child = slowBackup()) {
      assertThatThrownBy(() -> other.backup(path("backup")))
          .isInstanceOf(RegionLockedException.class)
          .hasMessageContaining("is being made already: pid=" + child.handle().pid());
      assertThat(path("backup.part")).exists();
      assertThat(child.handle().isAlive()).isTrue();
    }
  }

  @Test
  void aBackupIsReadByWhoCanReadTheStore() throws Exception {
    try (Holdfast store = Holdfast.open(path("bank.hf"))) {
      Bank.of(store).open();
      Files.setPosixFilePermissions(path("bank.hf"), PosixFilePermissions.fromString("rw-------"));
      Thread other = Thread.ofPlatform().start(() -> store.backup(path("slow"), 1 << 20));
      File part = path("slow.part").toFile();
      while (part.length() == 0) { // the copy has begun, not its file alone
        Thread.sleep(1);
      }
      assertThat(rights("slow.part")).isEqualTo("rw-------");
      other.join();
      assertThat(rights("slow")).isEqualTo("rw-------");
      Files.setPosixFilePermissions(path("bank.hf"), PosixFilePermissions.fromString("r--rw-r--"));
      store.backup(path("wide"));
      assertThat(rights("wide")).isEqualTo("rw-rw-r--");
    }
  }

  private String rights(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path(name)));
  }

  @Test
  void aFileMadeMeanwhileIsNotReplaced() throws Exception {
    try (Holdfast store = Holdfast.open(path("bank.hf"))) {
      Bank.of(store).open();
      Thread maker =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!Files.exists(path("backup.part"))) {
                      Thread.onSpinWait();
                    }
                    try {
                      Files.writeString(path("backup"), "mine");
                    } catch (IOException e) {
                      thrown.add(e);
                    }
                  });
      assertThatThrownBy(() -> store.backup(path("backup"), 1 << 20))
          .isInstanceOf(RegionAccessException.class)
          .hasMessageContaining("there is a file of this name");
      maker.join();
    }
    assertThat(thrown).isEmpty();
    assertThat(path("backup")).hasContent("mine");
    assertThat(path("backup.part")).doesNotExist();
  }
}
