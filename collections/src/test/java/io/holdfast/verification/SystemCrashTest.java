package io.holdfast.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ChildJvm;
import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.fixture.Told;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is served of a store that was open for `PROCESS_CRASH` when the system went down.
@Timeout(120)
class SystemCrashTest {
  private static final Logger LOGGER = Logger.getLogger("io.holdfast");
  private static final long ENTRIES = 1_000;

  @TempDir private Path directory;
  private final Told log = new Told();
  private final Queue<String> told = log.messages();

  @BeforeEach
  void listen() {
    LOGGER.setUseParentHandlers(false);
  }

  @AfterEach
  void listenNoMore() {
    log.close();
    LOGGER.setUseParentHandlers(true);
  }

  private Path file() {
    return directory.resolve("shop.hf");
  }

  /// Fills a store, and waits to be killed.
  static final class Victim {
    public static void main(String[] arguments) throws IOException {
      Holdfast store = Holdfast.open(Path.of(arguments[0]));
      LongStream.range(0, ENTRIES)
          .forEach(i -> store.hashMap("m", Long.class, Long.class).put(i, i));
      LongStream.range(0, ENTRIES)
          .forEach(i -> store.treeMap("t", Long.class, Long.class).put(i, i));
      store.atomically(
          () -> {
            store.queue("q", Long.class).add(1L);
            System.out.println("filled");
            try {
              System.in.read();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  private void killed() throws IOException, InterruptedException {
    try (ChildJvm victim = ChildJvm.start(Victim.class, file().toString())) {
      assertThat(victim.readLine()).isEqualTo("filled");
      assertThat(victim.kill()).isEqualTo(ChildJvm.KILLED);
    }
  }

  private void saysRun(long run) throws IOException {
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    word.putLong(0, run);
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.write(word, MixedMoments.RUN_OFFSET);
    }
  }

  private List<String> verifications() {
    return told.stream().filter(each -> each.contains("verified before it is served")).toList();
  }

  private void isServed(Holdfast.Options options) {
    try (Holdfast store = Holdfast.open(file(), options)) {
      assertThat(store.hashMap("m", Long.class, Long.class)).hasSize((int) ENTRIES);
      assertThat(store.treeMap("t", Long.class, Long.class)).hasSize((int) ENTRIES);
      assertThat(store.queue("q", Long.class)).isEmpty();
    }
  }

  @Test
  void aProcessThatIsKilledCostsNoVerification() throws Exception {
    killed();
    isServed(Holdfast.Options.defaults());
    assertThat(verifications()).isEmpty();
  }

  @Test
  void afterAnotherRunItIsVerifiedAndServed() throws Exception {
    for (long run : new long[] {MixedMoments.ANOTHER_RUN, 0}) {
      killed();
      saysRun(run);
      isServed(Holdfast.Options.defaults());
      assertThat(verifications())
          .singleElement()
          .asString()
          .startsWith(file().toRealPath() + ": the region was not closed, and the system has been");
      assertThat(told).anyMatch(each -> each.contains("the region is sound, and is served"));
      told.clear();
      isServed(Holdfast.Options.defaults());
      assertThat(verifications()).as("it was closed").isEmpty();
      Files.delete(file());
    }
  }

  @Test
  void run1ACopyIsVerified() throws Exception {
    Path other = directory.resolve("other.hf");
    killed();
    Files.move(file(), other);
    Files.move(other, file());
    isServed(Holdfast.Options.defaults());
    assertThat(verifications()).as("a file that was moved is the same").isEmpty();
    killed();
    Files.copy(file(), other);
    Files.move(other, file(), StandardCopyOption.REPLACE_EXISTING);
    isServed(Holdfast.Options.defaults());
    assertThat(verifications()).hasSize(1);
  }

  @Test
  void anInterruptDoesNotEndTheVerification() throws Exception {
    killed();
    saysRun(MixedMoments.ANOTHER_RUN);
    Thread.currentThread().interrupt();
    try {
      isServed(Holdfast.Options.defaults());
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(verifications()).hasSize(1);
  }

  @Test
  void theOptionSkipsIt() throws Exception {
    killed();
    saysRun(MixedMoments.ANOTHER_RUN);
    isServed(Holdfast.Options.defaults().riskMixedDataAfterSystemCrash());
    assertThat(verifications()).isEmpty();
    assertThat(told).anyMatch(each -> each.contains("is served without being verified"));
  }

  @Test
  void whatWasOpenForPowerFailureIsNotVerified() throws IOException {
    Holdfast.Options ordered =
        Holdfast.Options.defaults().durability(Durability.POWER_FAILURE).treatAsPersistentMemory();
    byte[] image;
    try (Holdfast store = Holdfast.open(file(), ordered)) {
      store.queue("q", Long.class).add(1L);
      image = Files.readAllBytes(file());
    }
    Files.write(file(), image);
    try (Holdfast store = Holdfast.open(file())) {
      assertThat(store.queue("q", Long.class)).containsExactly(1L);
      image = Files.readAllBytes(file());
    }
    assertThat(verifications()).isEmpty();
    Files.write(file(), image); // its last opening was for PROCESS_CRASH
    saysRun(MixedMoments.ANOTHER_RUN);
    Holdfast.open(file(), ordered).close();
    assertThat(verifications()).hasSize(1);
  }

  @Test
  void run3ARefusedFileIsNotChanged() throws Exception {
    byte[] image;
    try (Holdfast store = Holdfast.open(file())) {
      MixedMoments moments = new MixedMoments(store, 1);
      moments.work(2_000);
      byte[] earlier = moments.snapshot();
      moments.work(2_000);
      image = moments.snapshot();
      // Every second page, all over the file.
      for (int at = 0x10000; at < earlier.length; at += 2 * MixedMoments.PAGE_BYTES) {
        System.arraycopy(earlier, at, image, at, MixedMoments.PAGE_BYTES);
      }
    }
    Files.write(file(), image);
    saysRun(MixedMoments.ANOTHER_RUN);
    byte[] before = Files.readAllBytes(file());
    assertThatThrownBy(() -> Holdfast.open(file()))
        .isInstanceOf(RegionDamagedException.class)
        .hasMessageStartingWith(
            file().toRealPath()
                + ": the region was open for PROCESS_CRASH when the system went down or the file"
                + " was copied, and its pages are of different moments: faults=")
        .hasMessageContaining("offset")
        .hasMessageEndingWith(
            "The file was not touched; restore it from a backup, see all faults by `holdfast"
                + " verify`, get out what can be read by `holdfast salvage`, or open it with"
                + " Options.riskMixedDataAfterSystemCrash(), which serves wrong data without a"
                + " word");
    assertThat(Files.readAllBytes(file())).isEqualTo(before);
  }

  /// Without the verification, two of three such files are opened, and lie or throw.
  @Test
  void run1MixedFilesAreRefusedOrWalk() throws IOException {
    int refused = 0;
    int files = 0;
    for (int seed = 0; seed < 4; seed++) {
      byte[] earlier;
      byte[] later;
      try (Holdfast store = Holdfast.open(directory.resolve("of" + seed))) {
        MixedMoments moments = new MixedMoments(store, seed);
        moments.work(2_000);
        earlier = moments.snapshot();
        moments.work(30 << 2 * seed);
        later = moments.snapshot();
      }
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < 25; i++, files++) {
        byte[] mixed = MixedMoments.mixed(earlier, later, random);
        Files.write(file(), mixed);
        try (Holdfast store = Holdfast.open(file())) {
          assertThat(MixedMoments.wrongIn(store))
              .as("seed=%d, file=%d", seed, i)
              // Two pages, each of them whole.
              .allMatch(each -> each.endsWith(": sum") || each.equals("queue: gap"));
        } catch (RegionDamagedException e) {
          refused++;
          assertThat(Files.readAllBytes(file())).isEqualTo(mixed);
        }
      }
    }
    assertThat(refused).as("refused of %d", files).isGreaterThan(files / 2);
  }
}
