package io.holdfast;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.core.Durability;
import io.holdfast.core.heap.RootDirectory;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.hooks.SectionHooks;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;

/// Writes the golden files of the format at hand, which later versions must open:
///
/// | file | what |
/// |---|---|
/// | `clean.hf.gz` | closed, with each kind of collection and codec; its maps are those of the last version that knew no dense slots, and so are those of `killed.hf.gz`; no leaf has a prefix |
/// | `killed.hf.gz` | the same, in the middle of sections: with every kind of log entry, ranges and chunks, sections that wait, and a deletion that was begun |
/// | `longs.hf.gz` | a map with its entries in the index |
/// | `longs-in-slots.hf.gz` | the same in slots: written by the last version that knew no other; not written any more |
/// | `texts.hf.gz` | maps whose slots are dense: closed, of all lengths |
/// | `bytes.hf.gz` | a map and a sorted map of arrays of bytes with their lengths: written by the last version that knew no other; not written any more |
/// | `prefixes.hf.gz` | a sorted map whose leaves keep what their keys have in common: closed |
/// | `work.hf.gz` | closed, with calls of a resumable that are made, failed, unfinished and scheduled, jobs and a delay queue |
/// | `logged.hf.gz`, `logged.hf.log.gz` | of format 2: open for `POWER_FAILURE` on a disk, with one element in a queue; the log is of version 1, and they are not written any more |
/// | `reach.hf.gz`, `reach.hf.log.gz` | the same with a log of version 2 |
///
/// What the first two hold is {@link #expected}, in both: all that the sections did is undone.
public final class GoldenFiles {
  static final String CLEAN = "clean.hf.gz";
  static final String KILLED = "killed.hf.gz";
  static final String LONGS = "longs.hf.gz";
  static final String LONGS_IN_SLOTS = "longs-in-slots.hf.gz";
  static final String TEXTS = "texts.hf.gz";
  static final String BYTES = "bytes.hf.gz";
  static final String PREFIXES = "prefixes.hf.gz";
  static final String WORK = "work.hf.gz";
  static final String LOGGED = "logged.hf";
  static final String REACH = "reach.hf";

  /// An element with every kind of component.
  record Order(int number, Long customer, String text, byte[] attachment, Line line) {}

  /// A component of an element.
  record Line(long article, String name) {}

  private static final Codec<String> STRING = Codec.of(String.class);

  private static final EntryCodec<String, Long> COUNTS =
      new EntryCodec<>(Codec.of(String.class), Codec.of(Long.class));

  /// Results are kept for some 270 years.
  private static final Duration LONG = Duration.ofDays(100_000);

  /// When nobody runs this any more.
  static final Instant SOME_DAY = Instant.parse("2400-01-01T00:00:00Z");

  private final Path file;

  private GoldenFiles(Path file) {
    this.file = file;
  }

  /// @param directories where the files go
  public static void main(String[] directories) throws IOException {
    Path directory = Files.createDirectories(Path.of(directories[0]));
    Path file = directory.resolve("golden.hf");
    GoldenFiles golden = new GoldenFiles(file);
    compress(golden.clean(), directory.resolve(CLEAN));
    Files.delete(file);
    compress(golden.killed(), directory.resolve(KILLED));
    Files.delete(file);
    compress(golden.numbered(), directory.resolve(LONGS));
    Files.delete(file);
    compress(golden.mapsOfTexts(), directory.resolve(TEXTS));
    Files.delete(file);
    compress(golden.prefixes(), directory.resolve(PREFIXES));
    Files.delete(file);
    compress(golden.work(), directory.resolve(WORK));
    Files.delete(file);
    golden.logged(Files.createDirectories(directory.resolveSibling("format-2")));
    Files.delete(directory.resolve("golden.hf.lock"));
  }

  private byte[] prefixes() throws IOException {
    try (Holdfast store = Holdfast.open(file)) {
      addresses(store).putAll(addresses());
    }
    return Files.readAllBytes(file);
  }

  static PersistentTreeMap<String, String> addresses(Holdfast store) {
    return store.treeMap("addresses", STRING, STRING);
  }

  /// Most begin alike, some with two bytes a char; values of all lengths.
  static Map<String, String> addresses() {
    Map<String, String> addresses = new TreeMap<>();
    for (int i = 0; i < 1_000; i++) {
      String host = i % 50 == 0 ? "odd" : "https://www.holdfast.example/some/thing/";
      String path = i % 7 == 0 ? "\u03c0" + i : Integer.toString(i * 7_919 % 1_000_003);
      addresses.put(host + path, "v".repeat(i % 100 == 0 ? 600 : i % 20));
    }
    return addresses;
  }

  /// What is unfinished, scheduled, and not yet loaded.
  private byte[] work() throws IOException {
    try (Holdfast store = Holdfast.open(file)) {
      Resumable<Line, Long> sell =
          store.resumable(
              "sell",
              Line.class,
              Long.class,
              Resumable.Options.<Line>defaults().keep(100, LONG),
              line -> {
                if (line.name() == null) {
                  throw new IllegalArgumentException("no name");
                }
                return line.article() * 2;
              });
      sell.run("made", new Line(1, "pear"));
      failed(() -> sell.run("failed", new Line(2, null)));
      sell.at(SOME_DAY, new Line(3, "tomorrow"));
      sell.at("later", SOME_DAY.plusMillis(1), new Line(4, "with an id"));
      sell.every("daily", SOME_DAY, Duration.ofDays(1), new Line(5, "daily"));
      Resumable<String, Void> mail =
          store.resumable(
              "mail",
              String.class,
              Resumable.Options.<String>defaults().retryFailed(),
              text -> {
                throw new IllegalStateException("not now");
              });
      failed(() -> mail.run("letter", "unfinished"));
      failed(() -> mail.run("without an id"));
      store.job("loaded", Line.class, new Line(0, "begun"), (_, job) -> job.at(new Line(9, "end")));
      failed(
          () ->
              store.job(
                  "loading",
                  Line.class,
                  new Line(0, "begun"),
                  Job.Options.defaults().every(1),
                  (_, job) -> {
                    store.queue("lines", String.class).add("line 0");
                    job.at(new Line(1, "cut"));
                    store.queue("lines", String.class).add("line 1");
                    throw new IllegalStateException("stopped");
                  }));
      store.delayQueue("delayed", Line.class).add(new Line(6, "due"), Instant.EPOCH);
      store.delayQueue("delayed", Line.class).add(new Line(7, "not due"), SOME_DAY);
    }
    return Files.readAllBytes(file);
  }

  private static void failed(Runnable action) {
    try {
      action.run();
    } catch (IllegalArgumentException | IllegalStateException e) {
      return;
    }
    throw new AssertionError("it has not failed");
  }

  private byte[] numbered() throws IOException {
    try (Holdfast store = Holdfast.open(file)) {
      numbered(store).putAll(numbers());
    }
    return Files.readAllBytes(file);
  }

  private byte[] mapsOfTexts() throws IOException {
    try (Holdfast store = Holdfast.open(file)) {
      fillMaps(store);
    }
    return Files.readAllBytes(file);
  }

  static PersistentHashMap<Long, Long> numbered(Holdfast store) {
    return store.hashMap("numbered", Long.class, Long.class);
  }

  /// The keys are all around the one that stands for none on media.
  static Map<Long, Long> numbers() {
    Map<Long, Long> numbers = new TreeMap<>();
    for (long i = -2_500; i < 2_500; i++) {
      numbers.put(i, -i);
    }
    return numbers;
  }

  /// A store on a disk that was not closed: the file and its log.
  private void logged(Path directory) throws IOException {
    Path log = file.resolveSibling(file.getFileName() + ".log");
    try (Holdfast store =
        Holdfast.open(file, Holdfast.Options.defaults().durability(Durability.POWER_FAILURE))) {
      store.queue("logged", String.class).add("x");
      compress(Files.readAllBytes(log), directory.resolve(REACH + ".log.gz"));
      compress(Files.readAllBytes(file), directory.resolve(REACH + ".gz"));
    }
    Files.delete(file);
  }

  private static void compress(byte[] bytes, Path to) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to))) {
      out.write(bytes);
    }
  }

  /// Elements by the queue's name, each as a text. What maps hold: {@link #counts()}, {@link
  /// #notes()}, and nothing in `cleared`; sorted ones: {@link #prices()}, {@link #words()}.
  static Map<String, List<String>> expected() {
    Map<String, List<String>> expected = new LinkedHashMap<>();
    expected.put("texts", texts());
    expected.put("integers", List.of("-1", "0", "2147483647"));
    expected.put("longs", longs());
    expected.put("bytes", List.of("[]", "[1, -1]"));
    expected.put("orders", orders().stream().map(GoldenFiles::text).toList());
    expected.put("empty", List.of());
    expected.put("Größe \uD83D\uDE80", List.of("renamed"));
    return expected;
  }

  /// Over several blocks, with elements outside of them.
  private static List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      texts.add("text " + i);
    }
    texts.add("ä\u20ac".repeat(2_000));
    texts.add("span ".repeat(9_000));
    texts.add("");
    return texts;
  }

  /// Some were taken, some removed from the middle.
  private static List<String> longs() {
    List<String> longs = new ArrayList<>();
    for (long i = 10; i < 200; i++) {
      if (i % 7 != 3) {
        longs.add(Long.toString(i));
      }
    }
    return longs;
  }

  private static List<Order> orders() {
    return List.of(
        new Order(1, 2L, "three", new byte[] {4}, new Line(5, "six")),
        new Order(-1, null, null, null, null));
  }

  /// Some were replaced, some removed, one is in a block of its own.
  static Map<String, String> counts() {
    Map<String, String> counts = new TreeMap<>();
    for (int i = 0; i < 2_000; i++) {
      if (i % 5 != 3) {
        counts.put("word " + i, Long.toString(i % 2 == 0 ? i : -i));
      }
    }
    return counts;
  }

  /// Of all sizes.
  static Map<String, String> notes() {
    Map<String, String> notes = new TreeMap<>();
    for (int length = 1; length < 200_000; length *= 3) {
      notes.put(Integer.toString(length), "n".repeat(length));
    }
    return notes;
  }

  /// In a tree of three levels: some were replaced, some removed.
  static Map<String, String> prices() {
    Map<String, String> prices = new TreeMap<>();
    for (int i = 0; i < 9_000; i++) {
      if (i % 9 != 4) {
        prices.put(Integer.toString(i), Long.toString(i % 2 == 0 ? i : -i));
      }
    }
    return prices;
  }

  /// Keys and values of many lengths, some in blocks of their own.
  static Map<String, String> words() {
    Map<String, String> words = new TreeMap<>(Comparator.reverseOrder());
    for (int i = 0; i < 200; i++) {
      words.put("w".repeat(i) + i, "v".repeat(i * i % 700));
    }
    return words;
  }

  /// A map's entries as texts.
  static Map<String, String> texts(Map<?, ?> map) {
    Map<String, String> texts = new TreeMap<>();
    map.forEach((key, value) -> texts.put(text(key), text(value)));
    return texts;
  }

  static PersistentHashMap<String, Long> counts(Holdfast store) {
    return store.hashMap("counts", String.class, Long.class);
  }

  static PersistentHashMap<Integer, String> notes(Holdfast store) {
    return store.hashMap("notes", Integer.class, String.class);
  }

  static PersistentTreeMap<Long, Long> prices(Holdfast store) {
    return store.treeMap("prices", Long.class, Long.class);
  }

  static PersistentTreeMap<String, String> words(Holdfast store) {
    return store.treeMap("words", STRING, STRING, "descending", Comparator.<String>reverseOrder());
  }

  private static void fillTrees(Holdfast store) {
    PersistentTreeMap<Long, Long> prices = prices(store);
    for (long i = 0; i < 9_000; i++) {
      long key = i * 7_919 % 9_000;
      prices.put(key, key);
    }
    for (long i = 0; i < 9_000; i++) {
      if (i % 9 == 4) {
        prices.remove(i);
      } else if (i % 2 != 0) {
        prices.put(i, -i);
      }
    }
    words(store).putAll(words());
    store.treeMap("cleared tree", Long.class, Long.class).put(1L, 2L);
    store.treeMap("cleared tree", Long.class, Long.class).clear();
  }

  private static void fillMaps(Holdfast store) {
    Map<String, Long> all = new LinkedHashMap<>();
    for (int i = 0; i < 2_000; i++) {
      all.put("word " + i, (long) i);
    }
    PersistentHashMap<String, Long> counts = counts(store);
    counts.putAll(all);
    counts.replaceAll((word, count) -> count % 2 == 0 ? count : -count);
    counts.values().removeIf(count -> Math.abs(count) % 5 == 3);
    PersistentHashMap<Integer, String> notes = notes(store);
    notes().forEach((length, note) -> notes.put(Integer.valueOf(length), note));
    store.hashMap("cleared", Integer.class, Integer.class).putAll(Map.of(1, 2, 3, 4));
    store.hashMap("cleared", Integer.class, Integer.class).clear();
  }

  static String text(Object element) {
    return switch (element) {
      case byte[] bytes -> Arrays.toString(bytes);
      case Order order ->
          "%d %d %s %s %s"
              .formatted(
                  order.number(),
                  order.customer(),
                  order.text(),
                  Arrays.toString(order.attachment()),
                  order.line());
      default -> element.toString();
    };
  }

  /// The codecs of the queues, by name.
  static Codec<?> codec(String queue) {
    return switch (queue) {
      case "integers" -> Codec.of(Integer.class);
      case "longs" -> Codec.of(Long.class);
      case "bytes" -> Codec.of(byte[].class);
      case "orders" -> Codec.of(Order.class);
      default -> Codec.of(String.class);
    };
  }

  private static void fill(Holdfast store) {
    store.queue("texts", String.class).addAll(texts());
    store.queue("integers", Integer.class).addAll(List.of(-1, 0, Integer.MAX_VALUE));
    PersistentQueue<Long> longs = store.queue("longs", Long.class);
    for (long i = 0; i < 200; i++) {
      longs.add(i);
    }
    for (int i = 0; i < 10; i++) {
      longs.remove();
    }
    longs.removeIf(i -> i % 7 == 3);
    store.queue("bytes", byte[].class).addAll(List.of(new byte[0], new byte[] {1, -1}));
    store.queue("orders", Order.class).addAll(orders());
    store.queue("empty", String.class);
    fillMaps(store);
    fillTrees(store);
    store.queue("size", String.class).add("renamed");
    store.rename("size", "Größe \uD83D\uDE80");
    store.queue("deleted", String.class).add("x");
    store.delete("deleted");
  }

  private byte[] clean() throws IOException {
    try (Holdfast store = Holdfast.open(file)) {
      fill(store);
    }
    return Files.readAllBytes(file);
  }

  private byte[] killed() throws IOException {
    try (Holdfast store = Holdfast.open(file)) {
      fill(store);
      store.queue("to be deleted", String.class).addAll(texts());
    }
    byte[][] killed = new byte[1][];
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      RootDirectory roots = region.roots();
      roots.delete("to be deleted");
      roots.disposeSome(
          root -> QueueChain.freeSome(region, root.firstBlock(), Disposal.CHANGES_MAX));
      PersistentQueue<String> empty = queue(region, "empty");
      PersistentQueue<String> texts = queue(region, "texts");
      CountDownLatch added = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      Thread first =
          inASection(
              () -> {
                Object lock = new Object();
                SectionHooks.acquired(lock);
                empty.addAll(List.of("never", "never again"));
                SectionHooks.releasing(lock); // or the section would hold them back
                added.countDown();
                await(end);
              });
      await(added);
      inASection(() -> texts.add(empty.remove())).join(); // and waits for the first
      inASection(() -> cutOff(region, texts, () -> killed[0] = read())).join();
      end.countDown();
      first.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return killed[0];
  }

  /// Changes what can be changed, and ruins the rest.
  private static void cutOff(Region region, PersistentQueue<String> texts, Runnable kill) {
    texts.add("half");
    texts.remove("text 290");
    texts.removeIf(text -> text.startsWith("span "));
    texts.poll();
    region.roots().rename("texts", "half");
    region.roots().delete("orders");
    Section section = region.sections().current();
    long longs = region.roots().find("longs").firstBlock();
    long block = region.memory().readPlain(longs) >>> 8;
    for (long at = block; at < block + 8_000; at += 8) {
      section.write(at, -at); // more than a ring holds
    }
    section.fill(longs, 16, -1);
    new PersistentHashMap<>(region, COUNTS, region.roots().find("counts").firstBlock(), true)
        .putAll(Map.of("word 0", 7L, "half", 1L, "half again", 2L));
    PersistentTreeMap<Long, Long> prices =
        new PersistentTreeMap<>(
            region,
            Codec.of(Long.class),
            Codec.of(Long.class),
            null,
            region.roots().find("prices").firstBlock());
    for (long i = 2_000; i < 2_300; i++) { // splits and merges
      prices.put(-i, i);
      prices.remove(i);
    }
    section.copy(region.roots().find("integers").firstBlock(), new byte[100], 0, 100);
    kill.run();
  }

  private static PersistentQueue<String> queue(Region region, String name) {
    return new PersistentQueue<>(
        region, Codec.of(String.class), region.roots().find(name).firstBlock(), Integer.MAX_VALUE);
  }

  private byte[] read() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Thread inASection(Runnable action) {
    return Thread.ofPlatform()
        .start(
            () -> {
              SectionHooks.enter();
              try {
                action.run();
              } finally {
                SectionHooks.exit();
              }
            });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
