package io.holdfast.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.recovery.SalvageReport.Loss;
import io.holdfast.recovery.SalvageReport.SalvagedRoot;
import io.holdfast.recovery.VerifyReport.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What comes out of damaged files. `-Dholdfast.salvage.seed=N` begins elsewhere. The seed says
/// which pages are damaged, and how; the file itself is a little different each time, for a map has
/// a random secret.
final class SalvageTest {
  private static final int ENTRIES = 4_000;
  private static final long SEED = Long.getLong("holdfast.salvage.seed", 1);

  @TempDir Path directory;

  private Path path(String name) {
    return directory.resolve(name);
  }

  private static SalvageReport salvage(Path from, Path to) throws IOException {
    return Salvage.salvage(from, to, null, Progress.NONE);
  }

  private static long entries(SalvageReport report, String root) {
    return report.roots().stream()
        .filter(each -> each.name().equals(root))
        .mapToLong(SalvagedRoot::entries)
        .sum();
  }

  @Test
  void salvage2OfASoundRegionAllComesOut() throws IOException {
    Stores.make(path("a.hf"), ENTRIES);
    SalvageReport report = salvage(path("a.hf"), path("b.hf"));
    assertThat(report.losses()).isEmpty();
    assertThat(report.roots()).extracting(SalvagedRoot::entries).containsOnly((long) ENTRIES);
    try (Holdfast store = Holdfast.open(path("b.hf"))) {
      assertThat(store.hashMap(Stores.MAP, Long.class, String.class)).isEqualTo(map());
      assertThat(store.queue(Stores.QUEUE, String.class))
          .containsExactlyElementsOf(IntStream.range(0, ENTRIES).mapToObj(Stores::value).toList());
    }
  }

  /// An order of the program's: a section stores in place then.
  public static final class Down implements Comparator<Long> {
    @Override
    public int compare(Long one, Long other) {
      return other.compareTo(one);
    }
  }

  /// Opens a store, and ends in the middle of a section.
  static final class Killed {
    public static void main(String[] files) {
      Holdfast store = Holdfast.open(Path.of(files[0]));
      Codec<Long> longs = Codec.of(Long.class);
      var tree = store.treeMap("tree", longs, longs, Down.class.getName(), new Down());
      LongStream.range(0, 20).forEach(key -> tree.put(key, key));
      store.atomically(
          () -> {
            LongStream.range(20, 30).forEach(key -> tree.put(key, key));
            Runtime.getRuntime().halt(9);
          });
    }
  }

  @Test
  void aSectionThatWasUndoneIsNoLoss() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    String file = path("a.hf").toString();
    Process killed =
        new ProcessBuilder(java, "-Xmx64m", "-cp", classes, Killed.class.getName(), file).start();
    assertThat(killed.waitFor()).isEqualTo(9);

    ClassLoader loader = Down.class.getClassLoader();
    SalvageReport report = Salvage.salvage(path("a.hf"), path("b.hf"), loader, Progress.NONE);

    assertThat(report.losses()).isEmpty();
    assertThat(report.roots()).extracting(SalvagedRoot::entries).containsExactly(20L);
  }

  private static Map<Long, String> map() {
    return IntStream.range(0, ENTRIES)
        .boxed()
        .collect(Collectors.toMap(Integer::longValue, Stores::value));
  }

  /// Damages a share of a file's pages: with zeros, with random bytes, or with another page's.
  private static void damage(Path file, double share, Random random, boolean withOthers)
      throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int pages = bytes.length / RegionLayout.PAGE_BYTES;
    for (int page = 0; page < pages; page++) {
      if (random.nextDouble() < share) {
        byte[] with = new byte[RegionLayout.PAGE_BYTES];
        int how = random.nextInt(withOthers ? 3 : 2);
        if (how == 1) {
          random.nextBytes(with);
        } else if (how == 2) {
          int other = random.nextInt(pages) * with.length;
          with = Arrays.copyOfRange(bytes, other, other + with.length);
        }
        System.arraycopy(with, 0, bytes, page * with.length, with.length);
      }
    }
    Files.write(file, bytes);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.1, 0.5})
  void salvage1AnyPagesDamaged(double share) throws IOException {
    Stores.make(path("a.hf"), ENTRIES);
    List<String> shown = new ArrayList<>();
    for (long seed = SEED; seed < SEED + 6; seed++) {
      Path damaged = path("damaged-" + seed);
      Files.copy(path("a.hf"), damaged);
      boolean withOthers = seed % 2 == 0;
      damage(damaged, share, new Random(seed), withOthers);
      byte[] before = Files.readAllBytes(damaged);
      Path made = path("made-" + seed);
      String line = "salvage: pages damaged=%.0f %%, seed=%d: ".formatted(share * 100, seed);
      try {
        SalvageReport report = salvage(damaged, made);
        line +=
            "map=%d, tree=%d, queue=%d of %d each; %d losses"
                .formatted(
                    entries(report, Stores.MAP),
                    entries(report, Stores.TREE),
                    entries(report, Stores.QUEUE),
                    ENTRIES,
                    report.lossesFound());
        check(made, report, withOthers, line);
      } catch (RegionDamagedException | RegionFormatException e) {
        line += "refused: " + e.getMessage();
        assertThat(made).doesNotExist();
        assertThat(share).as(line).isGreaterThan(0.4);
      }
      shown.add(line);
      assertThat(Files.readAllBytes(damaged)).isEqualTo(before);
    }
    shown.forEach(System.out::println);
  }

  /// Of entries that are in the index: what is there comes out, and nothing else.
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.02, 0.2})
  void salvage1OfAMapOfLongs(double share) throws IOException {
    Map<Long, Long> all = new HashMap<>();
    for (long key = -10_000; key < 10_000; key++) {
      all.put(key, 3 * key);
    }
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      store.hashMap(Stores.MAP, Long.class, Long.class).putAll(all);
    }
    byte[] bytes = Files.readAllBytes(path("a.hf"));
    Random random = new Random(SEED);
    for (int page = 16; page < bytes.length / RegionLayout.PAGE_BYTES; page++) { // not the header
      if (random.nextDouble() < share) {
        int from = page * RegionLayout.PAGE_BYTES;
        Arrays.fill(bytes, from, from + RegionLayout.PAGE_BYTES, (byte) 0);
      }
    }
    Files.write(path("a.hf"), bytes);

    SalvageReport report = salvage(path("a.hf"), path("b.hf"));

    try (Holdfast store = Holdfast.open(path("b.hf"))) {
      Map<Long, Long> found = store.hashMap(Stores.MAP, Long.class, Long.class);
      assertThat(all).containsAllEntriesOf(found);
      assertThat((double) found.size() / all.size()).isGreaterThan(1 - 3 * share - 1e-9);
      assertThat(report.losses().isEmpty()).isEqualTo(found.size() == all.size());
    }
  }

  private static void check(Path made, SalvageReport report, boolean withOthers, String line) {
    VerifyReport verified = Verification.verify(made, null, Progress.NONE);
    assertThat(verified.verdict()).as(line + verified.faults()).isEqualTo(Verdict.SOUND);
    try (Holdfast store = Holdfast.open(made)) {
      Set<String> names =
          store.roots().stream().map(root -> root.name()).collect(Collectors.toSet());
      if (names.contains(Stores.MAP)) {
        var map = store.hashMap(Stores.MAP, Long.class, String.class);
        map.forEach((key, value) -> checkValue(key.intValue(), value, line));
        if (!withOthers) {
          checkLosses(map.size(), Stores.MAP, report, line);
        }
      }
      if (names.contains(Stores.TREE)) {
        var tree = store.treeMap(Stores.TREE, String.class, String.class);
        if (!withOthers) {
          checkLosses(tree.size(), Stores.TREE, report, line);
        }
      }
    }
  }

  /// What is missing is told. Not of queues, for nothing says where one of which the end is zeros
  /// had its end; nor after pages of another place, which can look like anything.
  private static void checkLosses(int found, String root, SalvageReport report, String line) {
    if (found < ENTRIES) {
      assertThat(report.losses())
          .as(line + " " + root)
          .anyMatch(loss -> loss.path().startsWith(root + " ("));
    }
  }

  /// What lies in one line comes out right or not at all.
  private static void checkValue(int key, String value, String line) {
    if (value.length() < 32) {
      assertThat(value).as(line).isEqualTo(Stores.value(key));
    }
  }

  /// They must not look like room (TREE-9).
  @ParameterizedTest
  @CsvSource({"0, 2176", "0, 1024", "1024, 2176", "2112, 2176"})
  void zerosInALeaf(int from, int to) throws IOException {
    Stores.make(path("a.hf"), ENTRIES);
    Files.copy(path("a.hf"), path("copy.hf")); // looking is an opening, after which no hint counts
    List<Long> leaves = Stores.leaves(path("copy.hf"));
    for (long leaf : List.of(leaves.get(4), leaves.get(9))) {
      Stores.overwrite(path("a.hf"), leaf + from, new byte[to - from]);
    }
    SalvageReport report = salvage(path("a.hf"), path("b.hf"));
    assertThat(report.losses()).extracting(Loss::path).allMatch(path -> path.contains("leaf"));
    assertThat(report.losses().isEmpty()).isEqualTo(entries(report, Stores.TREE) == ENTRIES);
  }

  @Test
  void aFileThatWasCutOff() throws IOException {
    Stores.make(path("a.hf"), ENTRIES);
    byte[] bytes = Files.readAllBytes(path("a.hf"));
    Files.write(path("cut.hf"), Arrays.copyOf(bytes, bytes.length / 2 + 77));
    SalvageReport report = salvage(path("cut.hf"), path("b.hf"));
    assertThat(report.lossesFound()).isPositive();
    assertThat(entries(report, Stores.MAP)).isPositive();
    assertThat(Verification.verify(path("b.hf"), null, Progress.NONE).verdict())
        .isEqualTo(Verdict.SOUND);
  }

  /// What is made is sorted by its keys: one that can't be read takes no other with it.
  @ParameterizedTest
  @ValueSource(strings = {"key 0000", "key 1500", "key 2999"})
  void salvage1AKeyThatCanNotBeRead(String key) throws IOException {
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      Map<String, Long> tree = store.treeMap(Stores.TREE, String.class, Long.class);
      for (long i = 0; i < ENTRIES; i++) {
        tree.put("key %04d".formatted(i), i);
      }
      Map<Long, Long> map = store.hashMap(Stores.MAP, Long.class, Long.class);
      map.put(1L, 1L);
    }
    unreadable(key);
    SalvageReport report = salvage(path("a.hf"), path("b.hf"));
    assertThat(entries(report, Stores.TREE)).isEqualTo(ENTRIES - 1);
    assertThat(entries(report, Stores.MAP)).isEqualTo(1);
    assertThat(report.losses())
        .singleElement()
        .satisfies(
            loss -> {
              assertThat(loss.path()).startsWith("trades (treeMap) at 0x");
              assertThat(loss.message()).contains("\"trades\"", "can't be read");
            });
    assertThat(Verification.verify(path("b.hf"), null, Progress.NONE).verdict())
        .isEqualTo(Verdict.SOUND);
    assertThatThrownBy(() -> Compaction.compact(path("a.hf"), path("c.hf"), null, Progress.NONE))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining(path("c.hf").toString())
        .hasMessageContaining("a key of the sorted map \"trades\" can't be read")
        .hasMessageContaining("removeUnreadable");
    assertThat(path("c.hf")).doesNotExist();
  }

  /// Damages a key that a sorted map has, which says before its characters how they are stored.
  private void unreadable(String key) throws IOException {
    byte[] bytes = Files.readAllBytes(path("a.hf"));
    byte[] wanted = key.getBytes(StandardCharsets.ISO_8859_1);
    int found = 0;
    for (int at = 1; at < bytes.length - wanted.length; at++) {
      if (Arrays.equals(wanted, 0, wanted.length, bytes, at, at + wanted.length)) {
        bytes[at - 1] = (byte) 0xff;
        found++;
      }
    }
    assertThat(found).isPositive();
    Files.write(path("a.hf"), bytes);
  }

  @Test
  void bothHeadersAndTheLogs() throws IOException {
    Stores.make(path("a.hf"), ENTRIES);
    byte[] page = new byte[RegionLayout.PAGE_BYTES];
    new Random(SEED).nextBytes(page);
    for (long at : new long[] {RegionLayout.HEADER_A, RegionLayout.HEADER_B, 0x4000}) {
      Stores.overwrite(path("a.hf"), at, page);
    }
    SalvageReport report = salvage(path("a.hf"), path("b.hf"));
    assertThat(report.roots()).extracting(SalvagedRoot::entries).containsOnly((long) ENTRIES);
    assertThat(report.losses()).isNotEmpty();
  }

  @Test
  void anchorsAndTheFirstTable() throws IOException {
    Stores.make(path("a.hf"), ENTRIES);
    byte[] page = new byte[RegionLayout.PAGE_BYTES];
    new Random(SEED).nextBytes(page);
    Stores.overwrite(path("a.hf"), RegionLayout.ANCHOR_ROOTS, page);
    SalvageReport report = salvage(path("a.hf"), path("b.hf"));
    assertThat(report.roots())
        .extracting(SalvagedRoot::name)
        .containsExactlyInAnyOrder(Stores.MAP, Stores.TREE, Stores.QUEUE);
    assertThat(entries(report, Stores.MAP)).isGreaterThan(ENTRIES * 9L / 10);
  }

  @Test
  void whatIsNoRegion() throws IOException {
    Files.writeString(path("a.hf"), "no region, but a text ".repeat(10_000));
    assertThatThrownBy(() -> salvage(path("a.hf"), path("b.hf")))
        .isInstanceOf(HoldfastException.class);
    assertThat(path("b.hf")).doesNotExist();
  }
}
