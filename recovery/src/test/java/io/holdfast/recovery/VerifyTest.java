package io.holdfast.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionLockedException;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.recovery.VerifyReport.RootCount;
import io.holdfast.recovery.VerifyReport.Verdict;
import io.holdfast.verification.Fault;
import io.holdfast.verification.Fault.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a verification finds, and what it leaves alone.
final class VerifyTest {
  private static final int ENTRIES = 3_000;
  private static final byte[] ONES = new byte[64];

  static {
    Arrays.fill(ONES, (byte) -1);
  }

  @TempDir Path directory;

  private Path file() {
    return directory.resolve("region.hf");
  }

  private static VerifyReport verify(Path file) {
    return Verification.verify(file, null, Progress.NONE);
  }

  /// A record whose constructor refuses more from one day on.
  public record Percent(int value) {
    static int max = 1_000;

    /// Checks it.
    public Percent {
      if (value > max) {
        throw new IllegalArgumentException("value=%d, max=%d".formatted(value, max));
      }
    }
  }

  @Test
  void elementsThatTheProgramsClassesCanNotRead() {
    try (Holdfast store = Holdfast.open(file())) {
      store.queue("queue", Percent.class).addAll(List.of(new Percent(1), new Percent(200)));
      store.hashMap("map", String.class, Percent.class).put("a", new Percent(300));
    }
    Percent.max = 100;
    try {
      VerifyReport report =
          Verification.verify(file(), VerifyTest.class.getClassLoader(), Progress.NONE);
      assertThat(report.verdict()).isEqualTo(Verdict.UNREADABLE);
      assertThat(report.faultsFound()).isEqualTo(2);
      assertThat(report.faults())
          .extracting(Fault::severity, Fault::path)
          .containsExactly(
              tuple(Severity.UNREADABLE, "queue (queue)"),
              tuple(Severity.UNREADABLE, "map (hashMap)"));
      assertThat(report.faults().getFirst().message())
          .startsWith("element 2: a value of ")
          .contains("value=200, max=100")
          .endsWith("Mend its class or codec, or have removeUnreadable move it out");
      assertThat(verify(file()).verdict()).isEqualTo(Verdict.SOUND);
      try (Holdfast store = Holdfast.open(file())) {
        assertThat(store.queue("queue", Percent.class).removeUnreadable(bytes -> {})).isOne();
        assertThat(store.hashMap("map", String.class, Percent.class).removeUnreadable((k, v) -> {}))
            .isOne();
      }
      report = Verification.verify(file(), VerifyTest.class.getClassLoader(), Progress.NONE);
      assertThat(report.verdict()).isEqualTo(Verdict.SOUND);
    } finally {
      Percent.max = 1_000;
    }
  }

  @Test
  void aClosedStoreIsSound() {
    VerifyReport report = verify(Stores.make(file(), ENTRIES));
    assertThat(report.faults()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.SOUND);
    assertThat(report.roots())
        .extracting(RootCount::name, RootCount::kind, RootCount::entries)
        .containsExactly(
            tuple(Stores.MAP, "hashMap", (long) ENTRIES),
            tuple(Stores.TREE, "treeMap", (long) ENTRIES),
            tuple(Stores.QUEUE, "queue", (long) ENTRIES));
    assertThat(report.summary()).contains(": sound: roots=3, entries=9000,", "faults=0");
  }

  @Test
  void aStoreThatWasKilledIsRecoverable() {
    Path killed = directory.resolve("killed.hf");
    try (Holdfast store = Holdfast.open(file())) {
      Stores.fill(store, ENTRIES);
      store.queue("gone", String.class).addAll(List.of("a", "b"));
      store.delete("gone");
      Stores.killedCopy(store, killed);
    }
    VerifyReport report = verify(killed);
    assertThat(report.faults()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.RECOVERABLE);
    assertThat(report.wasOpen()).isTrue();
    assertThat(report.roots()).extracting(RootCount::entries).containsOnly((long) ENTRIES);
  }

  @Test
  void verify3NothingIsChanged() throws IOException {
    Path killed = directory.resolve("killed.hf");
    try (Holdfast store = Holdfast.open(file())) {
      Stores.fill(store, 200);
      Stores.killedCopy(store, killed);
    }
    byte[] before = Files.readAllBytes(killed);
    verify(killed);
    assertThat(Files.readAllBytes(killed)).isEqualTo(before);
  }

  @Test
  void verify1Leaks() {
    Stores.make(file(), 100);
    long leaked =
        Stores.withRegion(
            file(),
            region -> {
              long[] block = new long[1];
              // What the collection's creation allocates besides its first block, nobody finds.
              region
                  .roots()
                  .create(
                      "leaky",
                      PersistentQueue.KIND,
                      "String",
                      () -> {
                        block[0] = region.heap().allocate(100);
                        return QueueChain.create(region);
                      });
              return block[0];
            });
    VerifyReport report = verify(file());
    assertThat(report.verdict()).isEqualTo(Verdict.DAMAGED);
    assertThat(report.faults())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.severity()).isEqualTo(Severity.LEAK);
              assertThat(fault.offset()).isEqualTo(leaked);
            });
  }

  @Test
  void verify1ABlockThatIsReachedTwice() {
    Stores.make(file(), 100);
    Stores.withRegion(
        file(),
        region -> {
          long first = region.roots().find(Stores.QUEUE).firstBlock();
          return region.roots().create("twin", PersistentQueue.KIND, "String", () -> first);
        });
    VerifyReport report = verify(file());
    assertThat(report.verdict()).isEqualTo(Verdict.DAMAGED);
    assertThat(report.faults())
        .anySatisfy(fault -> assertThat(fault.path()).startsWith("twin (queue) at 0x"));
  }

  /// Beyond all offsets that a region can have, or just beyond this one.
  @ParameterizedTest
  @ValueSource(longs = {0x7171717171717170L, -72057594036601760L, 1L << 40, 8})
  void verify2AQueuesElementThatIsNowhere(long link) {
    try (Holdfast store = Holdfast.open(file())) {
      store.queue(Stores.QUEUE, String.class).add("long ".repeat(10_000));
    }
    long element =
        Stores.blocks(file()).stream()
            .max(Comparator.comparingLong(Block::bytes))
            .orElseThrow()
            .offset();
    Stores.withRegion(
        file(),
        region -> {
          Memory memory = region.memory();
          for (long at = RegionLayout.SPAN_BYTES; at < memory.length(); at += Long.BYTES) {
            if (memory.readPlain(at) == element) {
              memory.writePlain(at, link);
            }
          }
          return null;
        });
    VerifyReport report = verify(file());
    assertThat(report.verdict()).isEqualTo(Verdict.DAMAGED);
    assertThat(report.faults())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.path()).startsWith("jobs (queue) at 0x");
              assertThat(fault.message()).contains("a queue's element leads to no block");
            });
  }

  @Test
  void verify2FaultsInSeveralPlaces() {
    Stores.make(file(), ENTRIES);
    List<Long> leaves = Stores.leaves(file());
    assertThat(leaves).hasSizeGreaterThan(20);
    // The line after the hints: how many of its words count can't be so many.
    Stores.overwrite(file(), leaves.get(3) + 192, ONES);
    Stores.overwrite(file(), leaves.get(17) + 192, ONES);
    VerifyReport report = verify(file());
    assertThat(report.verdict()).isEqualTo(Verdict.DAMAGED);
    assertThat(report.faults())
        .extracting(Fault::offset)
        .containsExactlyInAnyOrder(leaves.get(3), leaves.get(17));
    assertThat(report.faults())
        .allSatisfy(
            fault ->
                assertThat(fault.path())
                    .matches(
                        "trades \\(treeMap\\) at 0x\\w+( → node at 0x\\w+)+ → leaf at 0x\\w+"));
    assertThat(report.roots())
        .filteredOn(root -> !root.name().equals(Stores.TREE))
        .extracting(RootCount::entries)
        .containsOnly((long) ENTRIES);
  }

  @Test
  void tree9ALeafOfZeros() {
    Stores.make(file(), ENTRIES);
    long leaf = Stores.leaves(file()).get(5);
    Stores.overwrite(file(), leaf, new byte[Stores.LEAF_BYTES]);
    assertThat(verify(file()).faults()).extracting(Fault::offset).containsExactly(leaf);
  }

  @Test
  void aStripeOfAMap() {
    Stores.make(file(), ENTRIES);
    List<Long> blocks = new ArrayList<>();
    Stores.withRegion(
        file(),
        region -> {
          long root = region.roots().find(Stores.MAP).firstBlock();
          new EntryMap(region, root).forEachBlock(blocks::add);
          return blocks;
        });
    Stores.overwrite(file(), blocks.getFirst() + 64, ONES); // META of a chunk's first slot
    VerifyReport report = verify(file());
    assertThat(report.verdict()).isEqualTo(Verdict.DAMAGED);
    assertThat(report.faults())
        .singleElement()
        .satisfies(
            fault ->
                assertThat(fault.path())
                    .matches("prices \\(hashMap\\) at 0x\\w+ → stripe \\d+ at 0x\\w+"));
  }

  @Test
  void oneCopyOfTheHeader() {
    Stores.make(file(), 10);
    Stores.overwrite(file(), RegionLayout.HEADER_B + 40, ONES);
    VerifyReport report = verify(file());
    assertThat(report.verdict()).isEqualTo(Verdict.RECOVERABLE);
    assertThat(report.faults()).extracting(Fault::offset).containsExactly(RegionLayout.HEADER_B);
  }

  @Test
  void bothCopiesOfTheHeader() {
    Stores.make(file(), 10);
    Stores.overwrite(file(), RegionLayout.HEADER_A + 40, ONES);
    Stores.overwrite(file(), RegionLayout.HEADER_B + 40, ONES);
    assertThat(verify(file()).verdict()).isEqualTo(Verdict.DAMAGED);
  }

  @Test
  void aFileThatIsInUse() {
    try (Holdfast store = Holdfast.open(file())) {
      assertThatThrownBy(() -> verify(store.path())).isInstanceOf(RegionLockedException.class);
    }
  }

  @Test
  void aFileThatIsNoRegion() throws IOException {
    Files.writeString(file(), "no region, but a text ".repeat(1_000));
    assertThatThrownBy(() -> verify(file())).isInstanceOf(RegionFormatException.class);
  }

  @Test
  void aCreationThatWasCutOff() throws IOException {
    Files.write(file(), new byte[4096]);
    assertThat(verify(file()).verdict()).isEqualTo(Verdict.RECOVERABLE);
  }
}
