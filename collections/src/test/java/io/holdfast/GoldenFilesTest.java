package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.GoldenFiles.Line;
import io.holdfast.codec.Codec;
import io.holdfast.collections.Due;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.Durability;
import io.holdfast.core.RecoveryReport;
import io.holdfast.core.RecoveryReport.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that were written to a released format are opened by every later version, and hold what
/// they held. A failure here is a new format version, never a reason to write the files anew, once
/// there was a release.
///
/// `-Dholdfast.golden.write=true` writes them anew.
class GoldenFilesTest {
  private static final String FORMAT_1 = "golden/format-1";
  private static final String FORMAT_2 = "golden/format-2";

  @TempDir private Path directory;

  @BeforeAll
  static void write() throws IOException {
    if (Boolean.getBoolean("holdfast.golden.write")) {
      Path sources = Path.of("src/test/resources", FORMAT_1);
      GoldenFiles.main(new String[] {sources.toString()});
      Path compiled = Files.createDirectories(Path.of("target/test-classes", FORMAT_1));
      for (String name :
          List.of(
              GoldenFiles.CLEAN,
              GoldenFiles.KILLED,
              GoldenFiles.LONGS,
              GoldenFiles.TEXTS,
              GoldenFiles.PREFIXES,
              GoldenFiles.WORK)) {
        Files.write(compiled.resolve(name), Files.readAllBytes(sources.resolve(name)));
      }
    }
  }

  private Path golden(String name) throws IOException {
    return unpacked(FORMAT_1 + "/" + name, "golden.hf");
  }

  private Path unpacked(String resource, String name) throws IOException {
    Path file = directory.resolve(name);
    try (InputStream compressed = GoldenFilesTest.class.getResourceAsStream("/" + resource);
        InputStream bytes = new GZIPInputStream(compressed)) {
      Files.copy(bytes, file);
    }
    return file;
  }

  private static void check(Holdfast store) {
    assertThat(store.roots().stream().filter(root -> root.kind().equals(PersistentQueue.KIND)))
        .extracting(NamedRoot::name)
        .containsExactlyElementsOf(GoldenFiles.expected().keySet());
    GoldenFiles.expected()
        .forEach(
            (name, expected) -> {
              PersistentQueue<?> queue = store.queue(name, GoldenFiles.codec(name));
              assertThat(queue.stream().map(GoldenFiles::text).toList())
                  .as(name)
                  .isEqualTo(expected);
              assertThat(queue.validate()).isEqualTo(expected.size());
            });
    checkMaps(store);
    checkTrees(store);
  }

  private static void checkMaps(Holdfast store) {
    assertThat(GoldenFiles.texts(GoldenFiles.counts(store))).isEqualTo(GoldenFiles.counts());
    assertThat(GoldenFiles.texts(GoldenFiles.notes(store))).isEqualTo(GoldenFiles.notes());
    assertThat(store.hashMap("cleared", Integer.class, Integer.class)).isEmpty();
    assertThat(GoldenFiles.counts(store).validate()).isEqualTo(GoldenFiles.counts().size());
    assertThat(GoldenFiles.notes(store).validate()).isEqualTo(GoldenFiles.notes().size());
  }

  /// And their free slots can be taken.
  @ParameterizedTest
  @ValueSource(strings = {GoldenFiles.TEXTS, GoldenFiles.CLEAN})
  void mapsOfTexts(String name) throws IOException {
    Path file = golden(name);
    for (int time = 0; time < 2; time++) {
      try (Holdfast store = Holdfast.open(file)) {
        checkMaps(store);
        PersistentHashMap<String, Long> counts = GoldenFiles.counts(store);
        for (long i = 0; i < 1_000; i++) {
          counts.put("another " + i, i);
        }
        assertThat(counts.validate()).isEqualTo(GoldenFiles.counts().size() + 1_000);
        counts.keySet().removeIf(word -> word.startsWith("another "));
      }
    }
  }

  /// And others can be put beside them.
  @Test
  void leavesWithPrefixes() throws IOException {
    Path file = golden(GoldenFiles.PREFIXES);
    try (Holdfast store = Holdfast.open(file)) {
      PersistentTreeMap<String, String> addresses = GoldenFiles.addresses(store);
      assertThat(addresses).containsExactlyEntriesOf(GoldenFiles.addresses());
      addresses.replaceAll((key, _) -> key + " and more");
      addresses.keySet().removeIf(key -> key.endsWith("7"));
    }
    try (Holdfast store = Holdfast.open(file)) {
      PersistentTreeMap<String, String> addresses = GoldenFiles.addresses(store);
      TreeMap<String, String> expected = new TreeMap<>(GoldenFiles.addresses());
      expected.replaceAll((key, _) -> key + " and more");
      expected.keySet().removeIf(key -> key.endsWith("7"));
      assertThat(addresses).containsExactlyEntriesOf(expected);
      assertThat(addresses.validate()).isEqualTo(expected.size());
    }
  }

  private static void checkTrees(Holdfast store) {
    assertThat(GoldenFiles.texts(GoldenFiles.prices(store))).isEqualTo(GoldenFiles.prices());
    assertThat(GoldenFiles.prices(store).firstKey()).isZero();
    assertThat(GoldenFiles.words(store)).containsExactlyEntriesOf(GoldenFiles.words());
    assertThat(GoldenFiles.prices(store).validate()).isEqualTo(GoldenFiles.prices().size());
    assertThat(GoldenFiles.words(store).validate()).isEqualTo(GoldenFiles.words().size());
    assertThat(store.treeMap("cleared tree", Long.class, Long.class)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void logged(Durability durability) throws IOException {
    logged(GoldenFiles.LOGGED, durability);
    logged(GoldenFiles.REACH, durability);
  }

  private void logged(String name, Durability durability) throws IOException {
    Path file = unpacked(FORMAT_2 + "/" + name + ".gz", name);
    unpacked(FORMAT_2 + "/" + name + ".log.gz", name + ".log");
    try (Holdfast store = Holdfast.open(file, Holdfast.Options.defaults().durability(durability))) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(store.queue("logged", String.class)).containsExactly("x");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {GoldenFiles.LONGS, GoldenFiles.LONGS_IN_SLOTS})
  void mapsOfLongs(String name) throws IOException {
    Path file = golden(name);
    Map<Long, Long> expected = GoldenFiles.numbers();
    try (Holdfast store = Holdfast.open(file)) {
      PersistentHashMap<Long, Long> longs = GoldenFiles.numbered(store);
      assertThat(longs).isEqualTo(expected);
      assertThat(longs.put(0L, 1L)).isZero();
      assertThat(longs.remove(1L)).isEqualTo(-1);
    }
    expected.put(0L, 1L);
    expected.remove(1L);
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(GoldenFiles.numbered(store)).isEqualTo(expected);
      assertThat(GoldenFiles.numbered(store).validate()).isEqualTo(expected.size());
    }
  }

  /// They keep their form: a key that was stored with its length is found.
  @Test
  void mapsOfBytes() throws IOException {
    Path file = golden(GoldenFiles.BYTES);
    for (int time = 0; time < 2; time++) {
      try (Holdfast store = Holdfast.open(file)) {
        assertThat(store.roots())
            .extracting(NamedRoot::codec)
            .containsExactly("Map<byte[],byte[]>", "Map<byte[],byte[]> sorted by unsigned");
        checkBytes(store.hashMap("bytes", byte[].class, byte[].class));
        Codec<byte[]> bytes = Codec.of(byte[].class);
        checkBytes(
            store.treeMap("sorted bytes", bytes, bytes, "unsigned", Arrays::compareUnsigned));
      }
    }
  }

  private static void checkBytes(Map<byte[], byte[]> map) {
    Map<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < 300; i++) {
      byte[] key = new byte[i % 9];
      for (int j = 0; j < key.length; j++) {
        key[j] = (byte) (i >> j);
      }
      byte[] value = new byte[i];
      Arrays.fill(value, (byte) i);
      expected.put(key, value);
    }
    assertThat(map).hasSameSizeAs(expected);
    expected.forEach((key, value) -> assertThat(map.put(key, value)).isEqualTo(value));
    assertThat(map).hasSameSizeAs(expected);
  }

  /// Twice: what the first opening has left is there too.
  @Test
  void work() throws IOException {
    Path file = golden(GoldenFiles.WORK);
    for (int time = 0; time < 2; time++) {
      boolean isFirst = time == 0;
      try (Holdfast store = Holdfast.open(file)) {
        assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
        checkCalls(store, isFirst);
        checkJobs(store, isFirst);
        PersistentDelayQueue<Line> delayed = store.delayQueue("delayed", Line.class);
        assertThat(delayed.validate()).isEqualTo(isFirst ? 2 : 1);
        assertThat(delayed.poll())
            .isEqualTo(isFirst ? new Due<>(Instant.EPOCH, new Line(6, "due")) : null);
        assertThat(delayed)
            .containsExactly(new Due<>(GoldenFiles.SOME_DAY, new Line(7, "not due")));
      }
    }
  }

  private static void checkCalls(Holdfast store, boolean isFirst) {
    assertThat(store.unfinished())
        .extracting(Unfinished::id, Unfinished::argument)
        .containsExactlyElementsOf(
            isFirst
                ? List.of(tuple("letter", "unfinished"), tuple(null, "without an id"))
                : List.of());
    Map<String, Integer> made = store.hashMap("made", String.class, Integer.class);
    store.resumable("mail", String.class, text -> made.merge(text, 1, Integer::sum));
    assertThat(made).isEqualTo(Map.of("unfinished", 1, "without an id", 1));
    Resumable<Line, Long> sell =
        store.resumable(
            "sell",
            Line.class,
            Long.class,
            Resumable.Options.<Line>defaults().keep(100, Duration.ofDays(100_000)),
            Line::article);
    assertThat(sell.run("made", new Line(1, "pear"))).isEqualTo(2);
    assertThat(sell.outcome("failed").orElseThrow().failure())
        .isEqualTo("java.lang.IllegalArgumentException: no name");
    assertThat(sell.scheduled())
        .extracting(due -> due.element().name())
        .containsExactlyElementsOf(
            isFirst ? List.of("tomorrow", "daily", "with an id") : List.of("tomorrow", "daily"));
    assertThat(sell.cancel("later")).isEqualTo(isFirst);
  }

  private static void checkJobs(Holdfast store, boolean isFirst) {
    assertThat(store.jobs())
        .extracting(Job.Progress::name, Job.Progress::isFinished)
        .containsExactly(tuple("loaded", true), tuple("loading", !isFirst));
    Line end =
        store.job(
            "loading",
            Line.class,
            new Line(0, "begun"),
            (from, job) -> {
              assertThat(from).isEqualTo(new Line(1, "cut"));
              store.queue("lines", String.class).add("line 1");
              job.at(new Line(2, "end"));
            });
    assertThat(end).isEqualTo(new Line(2, "end"));
    assertThat(store.queue("lines", String.class)).containsExactly("line 0", "line 1");
  }

  @Test
  void closed() throws IOException {
    Path file = golden(GoldenFiles.CLEAN);
    for (int time = 0; time < 2; time++) {
      try (Holdfast store = Holdfast.open(file)) {
        assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
        check(store);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void killed(Durability durability) throws IOException {
    Path file = golden(GoldenFiles.KILLED);
    Holdfast.Options options =
        Holdfast.Options.defaults().durability(durability).treatAsPersistentMemory();
    try (Holdfast store = Holdfast.open(file, options)) {
      RecoveryReport report = store.recovery();
      assertThat(report.outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(report.sectionsUndone()).as("open, waiting, and the large one").isEqualTo(3);
      assertThat(report.entriesUndone()).isGreaterThan(1_000);
      check(store);
      store.queue("empty", String.class).add("and is used");
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(store.queue("empty", String.class)).containsExactly("and is used");
    }
  }
}
