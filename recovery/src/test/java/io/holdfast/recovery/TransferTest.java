package io.holdfast.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.NamedRoot;
import io.holdfast.codec.Codec;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionLockedException;
import io.holdfast.recovery.VerifyReport.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Export, import and compaction: what comes out is what went in.
final class TransferTest {
  private static final int ENTRIES = 1_500;

  @TempDir Path directory;

  private Path path(String name) {
    return directory.resolve(name);
  }

  /// A key whose class alone knows the order.
  public record Size(int width, String unit) implements Comparable<Size> {
    @Override
    public int compareTo(Size other) {
      return Integer.compare(other.width, width);
    }
  }

  /// An order that the file knows by this class's name.
  public static final class Narrowest implements Comparator<Size> {
    @Override
    public int compare(Size one, Size other) {
      return Integer.compare(one.width, other.width);
    }
  }

  /// All that a store has.
  private record Content(
      List<NamedRoot> roots,
      Map<Long, String> map,
      List<Map.Entry<String, String>> tree,
      List<String> queue) {
    static Content of(Path file) {
      try (Holdfast store = Holdfast.open(file)) {
        return new Content(
            store.roots(),
            new HashMap<>(store.hashMap(Stores.MAP, Long.class, String.class)),
            new ArrayList<>(
                new TreeMap<>(store.treeMap(Stores.TREE, String.class, String.class)).entrySet()),
            new ArrayList<>(store.queue(Stores.QUEUE, String.class)));
      }
    }
  }

  private static String export(Path file) throws IOException {
    StringWriter text = new StringWriter();
    TextExport.export(file, text, Progress.NONE);
    return text.toString();
  }

  private static long read(String text, Path file, ClassLoader loader) throws IOException {
    return TextImport.read(new BufferedReader(new StringReader(text)), file, loader, Progress.NONE);
  }

  @Test
  void exportAndImport() throws IOException {
    Stores.make(path("a.hf"), ENTRIES);
    String text = export(path("a.hf"));
    assertThat(read(text, path("b.hf"), null)).isEqualTo(3L * ENTRIES);
    assertThat(Verification.verify(path("b.hf"), null, Progress.NONE).verdict())
        .isEqualTo(Verdict.SOUND);
    assertThat(Content.of(path("b.hf"))).isEqualTo(Content.of(path("a.hf")));
  }

  @Test
  void aStoreThatWasKilled() throws IOException {
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      Stores.fill(store, 100);
      Stores.killedCopy(store, path("killed.hf"));
    }
    read(export(path("killed.hf")), path("b.hf"), null);
    assertThat(Content.of(path("b.hf")).map()).hasSize(100).doesNotContainKey(-1L);
  }

  @Test
  void aSortedMapWhoseKeysAreRecords() throws IOException {
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      Map<Size, Long> sizes = store.treeMap("sizes", Size.class, Long.class);
      for (int i = 0; i < 500; i++) {
        sizes.put(new Size(i * 31 % 500, "cm"), (long) i);
      }
    }
    String text = export(path("a.hf"));
    assertThatThrownBy(() -> read(text, path("b.hf"), null))
        .isInstanceOf(RegionFormatException.class)
        .hasMessageContaining("Give the classes of the keys");
    read(text, path("b.hf"), TransferTest.class.getClassLoader());
    try (Holdfast store = Holdfast.open(path("b.hf"))) {
      var sizes = store.treeMap("sizes", Size.class, Long.class);
      assertThat(sizes).hasSize(500);
      assertThat(sizes.firstKey()).isEqualTo(new Size(499, "cm"));
      assertThat(sizes.validate()).isEqualTo(500);
    }
  }

  enum Grade {
    GOOD,
    BAD
  }

  sealed interface Shape extends Comparable<Shape> {
    int area();

    @Override
    default int compareTo(Shape other) {
      return Integer.compare(area(), other.area());
    }
  }

  record Square(int side) implements Shape {
    @Override
    public int area() {
      return side * side;
    }
  }

  record Strip(int area) implements Shape {}

  private static <K> PersistentTreeMap<K, Long> sorted(Holdfast store, K key) {
    @SuppressWarnings("unchecked") // the class of the key
    Class<K> type =
        (Class<K>)
            switch (key) {
              case Shape _ -> Shape.class;
              case Enum<?> constant -> constant.getDeclaringClass();
              default -> key.getClass();
            };
    return store.treeMap(type.getSimpleName(), type, Long.class);
  }

  /// Two keys each, of all classes that have a codec and a natural order; the first one is less.
  private static final List<List<Object>> KEYS =
      List.of(
          List.of(false, true),
          List.of((byte) -1, (byte) 1),
          List.of((short) -1, (short) 1),
          List.of('a', 'b'),
          List.of(-1, 1),
          List.of(-1L, 1L),
          List.of(-1F, 1F),
          List.of(-1.0, 1.0),
          List.of("a", "b"),
          List.of(new UUID(-1, 0), new UUID(1, 0)),
          List.of(BigInteger.TEN.negate(), BigInteger.TEN),
          List.of(BigDecimal.ONE, BigDecimal.TEN),
          List.of(Instant.EPOCH, Instant.MAX),
          List.of(Duration.ZERO, Duration.ofDays(1)),
          List.of(LocalDate.EPOCH, LocalDate.MAX),
          List.of(LocalTime.MIN, LocalTime.NOON),
          List.of(LocalDateTime.MIN, LocalDateTime.MAX),
          List.of(OffsetTime.MIN, OffsetTime.MAX),
          List.of(OffsetDateTime.MIN, OffsetDateTime.MAX),
          List.of(
              ZonedDateTime.of(LocalDateTime.MIN, ZoneOffset.UTC),
              ZonedDateTime.of(LocalDateTime.MAX, ZoneOffset.UTC)),
          List.of(ZoneOffset.MAX, ZoneOffset.MIN), // the one to the east is less
          List.of(Year.of(-1), Year.of(1)),
          List.of(YearMonth.of(1, 1), YearMonth.of(1, 2)),
          List.of(MonthDay.of(1, 1), MonthDay.of(1, 2)),
          List.of(Grade.GOOD, Grade.BAD),
          List.of(new Square(2), new Strip(5)));

  @Test
  void sortedMapsOfAllClassesOfKeys() throws IOException {
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      for (List<Object> keys : KEYS) {
        sorted(store, keys.getLast()).put(keys.getLast(), 2L);
        sorted(store, keys.getFirst()).put(keys.getFirst(), 1L);
      }
    }
    ClassLoader loader = TransferTest.class.getClassLoader();
    read(export(path("a.hf")), path("imported.hf"), loader);
    Compaction.compact(path("a.hf"), path("compacted.hf"), loader, Progress.NONE);
    Salvage.salvage(path("a.hf"), path("salvaged.hf"), loader, Progress.NONE);
    for (String each : List.of("imported.hf", "compacted.hf", "salvaged.hf")) {
      try (Holdfast store = Holdfast.open(path(each))) {
        for (List<Object> keys : KEYS) {
          PersistentTreeMap<Object, Long> map = sorted(store, keys.getFirst());
          assertThat(map.keySet()).as(each).containsExactlyElementsOf(keys);
          assertThat(map.validate()).as(each).isEqualTo(2);
        }
      }
    }
  }

  @Test
  void sortedMapsOfTheJdksClassesNeedNoClassPath() throws IOException {
    List<List<Object>> ofTheJdk = KEYS.subList(0, KEYS.size() - 2);
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      for (List<Object> keys : ofTheJdk) {
        sorted(store, keys.getLast()).put(keys.getLast(), 2L);
      }
    }
    read(export(path("a.hf")), path("b.hf"), null);
    try (Holdfast store = Holdfast.open(path("b.hf"))) {
      for (List<Object> keys : ofTheJdk) {
        assertThat(sorted(store, keys.getLast())).containsExactly(Map.entry(keys.getLast(), 2L));
      }
    }
  }

  /// An order that lists of keys have by this class alone.
  public static final class Longest implements Comparator<List<Size>> {
    @Override
    public int compare(List<Size> one, List<Size> other) {
      return Integer.compare(other.size(), one.size());
    }
  }

  @Test
  void aSortedMapOfListsWithAComparator() throws IOException {
    Codec<List<Size>> codec = Codec.listOf(Codec.of(Size.class));
    List<List<Size>> keys = List.of(List.of(new Size(1, "cm")), List.of());
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      for (List<Size> key : keys.reversed()) {
        store
            .treeMap("lists", codec, Codec.of(Long.class), Longest.class.getName(), new Longest())
            .put(key, 1L);
      }
    }
    ClassLoader loader = TransferTest.class.getClassLoader();
    Compaction.compact(path("a.hf"), path("b.hf"), loader, Progress.NONE);
    try (Holdfast store = Holdfast.open(path("b.hf"))) {
      assertThat(
              store
                  .treeMap(
                      "lists", codec, Codec.of(Long.class), Longest.class.getName(), new Longest())
                  .keySet())
          .containsExactlyElementsOf(keys);
    }
  }

  private static PersistentTreeMap<Size, Long> narrowest(Holdfast store) {
    return store.treeMap(
        "narrowest",
        Codec.of(Size.class),
        Codec.of(Long.class),
        Narrowest.class.getName(),
        new Narrowest());
  }

  @Test
  void aSortedMapWithAComparator() throws IOException {
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      for (int i = 0; i < 500; i++) {
        narrowest(store).put(new Size(i * 31 % 500, "cm"), (long) i);
      }
    }
    String text = export(path("a.hf"));
    assertThatThrownBy(() -> read(text, path("b.hf"), null))
        .isInstanceOf(RegionFormatException.class)
        .hasMessageContaining("Give the classes of the keys and of the comparator");
    ClassLoader loader = TransferTest.class.getClassLoader();
    read(text, path("imported.hf"), loader);
    Compaction.compact(path("a.hf"), path("compacted.hf"), loader, Progress.NONE);
    Salvage.salvage(path("a.hf"), path("salvaged.hf"), loader, Progress.NONE);
    for (String each : List.of("imported.hf", "compacted.hf", "salvaged.hf")) {
      try (Holdfast store = Holdfast.open(path(each))) {
        assertThat(narrowest(store).validate()).as(each).isEqualTo(500);
        assertThat(narrowest(store).firstKey()).as(each).isEqualTo(new Size(0, "cm"));
        assertThat(narrowest(store).get(new Size(31, "cm"))).as(each).isEqualTo(1);
      }
    }
  }

  @Test
  void aComparatorWhoseNameIsNoClassIsNotAtHand() throws IOException {
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      Codec<String> codec = Codec.of(String.class);
      for (String order : List.of("by length", "java.lang.String", "java.util.Comparator")) {
        store.treeMap(order, codec, codec, order, Comparator.comparing(String::length));
      }
    }
    String text = export(path("a.hf"));
    assertThatThrownBy(() -> read(text, path("b.hf"), TransferTest.class.getClassLoader()))
        .isInstanceOf(RegionFormatException.class)
        .hasMessageContaining("name=by length");
  }

  @Test
  void build1NothingIsLeftOfAnImportThatFails() throws IOException {
    Stores.make(path("a.hf"), 100);
    List<String> lines = export(path("a.hf")).lines().toList();
    String cut = String.join("\n", lines.subList(0, lines.size() - 1));
    String changed = String.join("\n", lines).replaceFirst("\"v\":\"[^\"]{8}", "\"v\":\"AAAAAAAA");
    String lost =
        String.join("\n", Stream.concat(lines.stream().limit(5), lines.stream().skip(6)).toList());
    for (String text : List.of("", "no export", cut, changed, lost)) {
      assertThatThrownBy(() -> read(text, path("b.hf"), null))
          .isInstanceOf(RegionFormatException.class)
          .hasMessageContaining("line ");
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files.filter(each -> each.getFileName().toString().startsWith("b"))).isEmpty();
      }
    }
  }

  /// A thread that is in the middle of a section of its own store while the import ends, and has
  /// released a lock in it.
  @Test
  void build2AnothersOpenSectionIsNotInTheWay() throws Exception {
    Stores.make(path("a.hf"), 100);
    String text = export(path("a.hf"));
    try (Holdfast other = Holdfast.open(path("other.hf"))) {
      CountDownLatch isImported = new CountDownLatch(1);
      CountDownLatch isOpen = new CountDownLatch(1);
      FutureTask<Boolean> section =
          new FutureTask<>(
              () -> {
                boolean[] waited = new boolean[1];
                other.atomically(
                    () -> {
                      other.queue("jobs", String.class).add("one");
                      isOpen.countDown();
                      waited[0] = await(isImported);
                    });
                return waited[0];
              });
      Reader lastLineMeetsASection =
          new StringReader(text) {
            @Override
            public int read(char[] into, int offset, int count) throws IOException {
              int read = super.read(into, offset, Math.min(count, 1_000));
              if (read < 1_000) {
                if (isOpen.getCount() > 0) {
                  Thread.ofPlatform().daemon().start(section);
                }
                assertThat(await(isOpen)).isTrue();
              }
              return read;
            }
          };
      TextImport.read(new BufferedReader(lastLineMeetsASection), path("b.hf"), null, Progress.NONE);
      isImported.countDown();
      assertThat(section.get()).as("the section was open").isTrue();
    }
    try (Holdfast store = Holdfast.open(path("b.hf"))) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
    }
    assertThat(Content.of(path("b.hf"))).isEqualTo(Content.of(path("a.hf")));
  }

  /// Not for ever: what the import stored may wait for the section.
  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// A text of so many chars without a line's end.
  private static Reader endless(String start, long length) {
    return new Reader() {
      private long at;

      @Override
      public int read(char[] into, int offset, int count) {
        int read = (int) Math.min(count, length - at);
        for (int i = 0; i < read; i++, at++) {
          into[offset + i] = at < start.length() ? start.charAt((int) at) : 'A';
        }
        return read == 0 ? -1 : read;
      }

      @Override
      public void close() {
        // nothing is open
      }
    };
  }

  @Test
  void aLineThatIsTooLongToHold() {
    long length = Runtime.getRuntime().maxMemory() / 8 * 3;
    String start = "{\"holdfast\":\"export\",\"version\":1}\n{\"v\":\"";
    Path file = directory.resolve("made.hf");
    assertThatExceptionOfType(RegionFormatException.class)
        .isThrownBy(
            () ->
                TextImport.read(
                    new BufferedReader(endless(start, length)), file, null, Progress.NONE))
        .withMessageStartingWith(
            "the text can't be imported: line 2: longer than this process can hold: found=")
        .withMessageContaining(
            "max=%d, an eighth of the heap".formatted(Runtime.getRuntime().maxMemory() / 8))
        .withMessageEndingWith("by -Xmx. Nothing was made; export it again");
    assertThat(file).doesNotExist();
  }

  @Test
  void linesEndAsThoseOfAReaderDo() throws IOException {
    for (String text : List.of("", "a", "a\n", "\n\na", "a\r\nb\r\r\nc\r", "\r", "\r\n", "a\n\r")) {
      for (String shift : List.of("", "x".repeat((1 << 13) - 2), "x".repeat((1 << 13) - 1))) {
        BufferedReader expected = new BufferedReader(new StringReader(shift + text));
        TextLines lines = new TextLines(new StringReader(shift + text), 10_000);
        for (String line = ""; line != null; ) {
          line = expected.readLine();
          assertThat(lines.next()).isEqualTo(line);
        }
      }
    }
    assertThat(new TextLines(new StringReader("four"), 4).next()).isEqualTo("four");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new TextLines(new StringReader("fives"), 4).next());
  }

  @Test
  void whatIsThereIsRefused() throws IOException {
    Stores.make(path("a.hf"), 10);
    String text = export(path("a.hf"));
    Files.writeString(path("b.hf"), "mine");
    assertThatThrownBy(() -> read(text, path("b.hf"), null))
        .isInstanceOf(RegionAccessException.class);
    assertThat(path("b.hf")).hasContent("mine");
  }

  @Test
  void compaction() throws IOException {
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      Stores.fill(store, ENTRIES);
      Map<Long, String> more = store.hashMap("more", Long.class, String.class);
      for (long i = 0; i < 10_000; i++) {
        more.put(i, "to be deleted " + i);
      }
      store.delete("more");
      for (int i = 0; i < ENTRIES; i++) {
        store.queue(Stores.QUEUE, String.class).add("last");
      }
    }
    Compaction.Report report = Compaction.compact(path("a.hf"), path("b.hf"), null, Progress.NONE);
    assertThat(report.roots()).isEqualTo(3);
    assertThat(report.entries()).isEqualTo(4L * ENTRIES);
    assertThat(report.bytesAfter()).isLessThan(report.bytesBefore());
    assertThat(Verification.verify(path("b.hf"), null, Progress.NONE).verdict())
        .isEqualTo(Verdict.SOUND);
    assertThat(Content.of(path("b.hf"))).isEqualTo(Content.of(path("a.hf")));
  }

  @Test
  void namesThatNeedEscapes() throws IOException {
    String name = "a \"b\" \\ \n \t ü \u0001";
    try (Holdfast store = Holdfast.open(path("a.hf"))) {
      store.queue(name, String.class).add("x");
    }
    read(export(path("a.hf")), path("b.hf"), null);
    try (Holdfast store = Holdfast.open(path("b.hf"))) {
      assertThat(store.roots().getFirst().name()).isEqualTo(name);
    }
  }

  /// Who can't read a store can't read what is made of it; an import's text says nothing of that.
  @Test
  void whatIsMadeHasTheRightsOfWhatItIsMadeOf() throws IOException {
    Stores.make(path("a.hf"), 100);
    String text = export(path("a.hf"));
    for (String rights : List.of("rw-------", "rw-rw-r--")) {
      Files.setPosixFilePermissions(path("a.hf"), PosixFilePermissions.fromString(rights));
      Path made = Files.createDirectory(path("of " + rights));
      Compaction.compact(path("a.hf"), made.resolve("compacted"), null, Progress.NONE);
      Salvage.salvage(path("a.hf"), made.resolve("salvaged"), null, Progress.NONE);
      FileBackup.backup(path("a.hf"), made.resolve("backup"), Progress.NONE);
      FileBackup.restore(made.resolve("backup"), made.resolve("restored"), null, Progress.NONE);
      try (Stream<Path> files = Files.list(made)) {
        assertThat(files.filter(each -> !each.toString().endsWith(".lock")))
            .hasSize(4)
            .allSatisfy(each -> assertThat(rights(each)).isEqualTo(rights));
      }
    }
    read(text, path("imported"), null);
    assertThat(rights(path("imported"))).isEqualTo("rw-------");
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  /// Imports what it is told; begins, and waits for the text.
  static final class Import {
    public static void main(String[] files) throws IOException {
      Reader text = new InputStreamReader(System.in, StandardCharsets.UTF_8);
      TextImport.read(new BufferedReader(text), Path.of(files[0]), null, Progress.NONE);
    }
  }

  @Test
  void build1AnImportThatWasKilledDoesNotBlockTheNext() throws Exception {
    Stores.make(path("a.hf"), 100);
    String text = export(path("a.hf"));
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Import.class.getName(),
                path("b.hf").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      while (!Files.exists(path("b.hf.part")) || Files.size(path("b.hf.part")) == 0) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> read(text, path("b.hf"), null))
          .isInstanceOf(RegionLockedException.class);
    } finally {
      child.destroyForcibly();
      assertThat(child.waitFor()).isEqualTo(137); // 128 + SIGKILL
    }
    assertThat(path("b.hf.part")).exists();
    read(text, path("b.hf"), null);
    assertThat(directory.toFile().list()).containsExactlyInAnyOrder("a.hf", "a.hf.lock", "b.hf");
    assertThat(Content.of(path("b.hf"))).isEqualTo(Content.of(path("a.hf")));
  }
}
