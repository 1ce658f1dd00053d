package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `dump` and `ls` of real regions.
final class DumpCommandTest {
  record Order(long id, String text, List<String> tags) {}

  /// A codec that the tool finds by its class path alone.
  public static final class Secret implements Codec<String> {
    @Override
    public String fingerprint() {
      return "a secret";
    }

    @Override
    public void encode(String value, EncodedOutput out) {
      out.writeString(new StringBuilder(value).reverse().toString());
    }

    @Override
    public String decode(EncodedInput in) {
      return new StringBuilder(in.readString()).reverse().toString();
    }
  }

  @TempDir private Path directory;

  private Path file;

  @BeforeEach
  void makeAStore() {
    file = directory.resolve("shop.hf");
    try (Holdfast store = Holdfast.open(file)) {
      var orders = store.treeMap("orders", LocalDate.class, Order.class);
      orders.put(LocalDate.of(2026, 3, 2), new Order(2, "two, \"quoted\"", List.of("x", "y")));
      orders.put(LocalDate.of(2026, 3, 1), new Order(1, "one", List.of()));
      store.queue("jobs", Long.class).addAll(List.of(10L, 11L, 12L));
      store.hashMap("stock", String.class, Double.class).put("apples", 1.5);
      store.hashMap("secrets", Codec.of(String.class), new Secret()).put("k", "abc");
      store
          .treeMap(
              "backwards",
              Codec.of(Long.class),
              Codec.of(Long.class),
              "descending",
              Comparator.<Long>reverseOrder())
          .put(1L, 2L);
      var large = store.treeMap("large", Long.class, Long.class);
      for (long i = 0; i < 1000; i++) {
        large.put(i * 7 % 1000, i);
      }
    }
  }

  private CommandRun dump(Object... arguments) throws IOException {
    Object[] all = new Object[arguments.length + 2];
    all[0] = "dump";
    all[1] = file;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    byte[] before = Files.readAllBytes(file);
    CommandRun run = CommandRun.of(all);
    assertThat(file).hasBinaryContent(before);
    return run;
  }

  /// By another process, as a rule; here by whoever takes what is printed.
  @Test
  void aStoreThatIsOpenedWhileItIsLookedAt() {
    StringWriter slow =
        new StringWriter() {
          private boolean isOpened;

          @Override
          public void write(char[] text, int from, int length) {
            if (!isOpened) {
              isOpened = true;
              try (Holdfast store = Holdfast.open(file)) {
                store.treeMap("large", Long.class, Long.class).clear();
              }
            }
            super.write(text, from, length);
          }
        };
    CommandRun run = CommandRun.to(slow, "dump", file, "large");
    if (run.exitCode() == ExitCode.SOUND.number()) {
      assertThat(run.err()).contains("the store was opened while it was looked at");
    } else {
      assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.IN_USE.number());
      assertThat(run.err()).contains("changed while it was read").doesNotContain("salvage");
    }
    assertThat(CommandRun.of("dump", file, "large").err()).isEmpty();
  }

  @Test
  void aSortedMapOfRecords() throws IOException {
    assertThat(dump("orders"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                {"key":"2026-03-01","value":{"id":1,"text":"one","tags":[]}}
                {"key":"2026-03-02","value":{"id":2,"text":"two, \\"quoted\\"","tags":["x","y"]}}
                """,
                ""));
  }

  @Test
  void asCsv() throws IOException {
    assertThat(dump("orders", "--csv").out())
        .isEqualTo(
            """
            key,value.id,value.text,value.tags
            2026-03-01,1,one,[]
            2026-03-02,2,"two, ""quoted""\","[""x"",""y""]"
            """);
  }

  @Test
  void aQueueFromItsHead() throws IOException {
    assertThat(dump("jobs").out())
        .isEqualTo("{\"element\":10}\n{\"element\":11}\n{\"element\":12}\n");
    assertThat(dump("jobs", "--from", "1", "--to", "2").out()).isEqualTo("{\"element\":11}\n");
    assertThat(dump("jobs", "--limit", "1", "--csv").out()).isEqualTo("element\n10\n");
  }

  @Test
  void aDelayQueueByItsTimes() throws IOException {
    Instant first = Instant.parse("2030-01-01T00:00:00Z");
    try (Holdfast store = Holdfast.open(file)) {
      var reminders = store.delayQueue("reminders", String.class);
      reminders.add("third", first.plusMillis(1));
      reminders.add("first", first);
      reminders.add("second", first);
    }

    assertThat(dump("reminders", "--to", "2030-01-01T00:00:00.001Z").out())
        .isEqualTo(
            "{\"key\":\"2030-01-01T00:00:00Z\",\"value\":\"first\"}\n"
                + "{\"key\":\"2030-01-01T00:00:00Z\",\"value\":\"second\"}\n");
    assertThat(dump("reminders", "--from", "2030-01-01T00:00:00.001Z", "--csv").out())
        .isEqualTo("key,value\n2030-01-01T00:00:00.001Z,third\n");
    assertThat(dump("reminders", "--raw").out()).contains("{\"key\":{\"bytes\":");
  }

  @Test
  void aMap() throws IOException {
    assertThat(dump("stock").out()).isEqualTo("{\"key\":\"apples\",\"value\":1.5}\n");
    assertThat(dump("stock", "--raw").out())
        .isEqualTo(
            "{\"key\":{\"bytes\":\"0c6170706c6573\"},\"value\":{\"bytes\":\"000000000000f83f\"}}\n");
  }

  @Test
  void aRangeOfALargeMapInOrder() throws IOException {
    String expected =
        LongStream.range(95, 905)
            .mapToObj(key -> "{\"key\":%d,\"value\":%d}\n".formatted(key, key * 143 % 1000))
            .collect(Collectors.joining());
    assertThat(dump("large", "--from", "95", "--to", "905").out()).isEqualTo(expected);
    assertThat(dump("large").out().lines()).hasSize(1000);
    assertThat(dump("large", "--limit", "70").out().lines()).hasSize(70);
  }

  @Test
  void aCodecThatIsNotAtHand() throws IOException {
    CommandRun run = dump("secrets");

    assertThat(run.out()).isEqualTo("{\"key\":\"k\",\"value\":{\"bytes\":\"06636261\"}}\n");
    assertThat(run.err())
        .isEqualTo(
            "holdfast: no codec is at hand for a secret: bytes are shown; name the jar that has it"
                + " by --class-path\n");
  }

  @Test
  void aCodecOnTheClassPath() throws IOException {
    Path services = Files.createDirectories(directory.resolve("classes/META-INF/services"));
    Files.writeString(services.resolve(Codec.class.getName()), Secret.class.getName());

    assertThat(dump("secrets", "--class-path", directory.resolve("classes")))
        .isEqualTo(new CommandRun(0, "{\"key\":\"k\",\"value\":\"abc\"}\n", ""));
  }

  @Test
  void aSortedMapInAnOrderOfTheProgramsOwn() throws IOException {
    CommandRun run = dump("backwards");

    assertThat(run.out()).isEqualTo("{\"key\":1,\"value\":2}\n");
    assertThat(run.err()).contains("the order of the keys is the program's own");
  }

  @Test
  void refusalsSayWhatToType() throws IOException {
    CommandRun missing = dump("nothing");
    CommandRun range = dump("large", "--from", "x");
    CommandRun negative = dump("jobs", "--from", "-1");

    assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE.number());
    assertThat(missing.err())
        .isEqualTo(
            "holdfast: %s: there is no root of the name nothing\nnext: holdfast ls %1$s\n"
                .formatted(file));
    assertThat(range.exitCode()).isEqualTo(ExitCode.USAGE.number());
    assertThat(range.err())
        .contains("not a key of type Long: x", "next: holdfast dump " + file + " large --limit 1");
    assertThat(negative.exitCode()).isEqualTo(ExitCode.USAGE.number());
    assertThat(negative.err()).contains("--from is out of range: found=-1, min=0");
  }

  @Test
  void theListOfRoots() {
    assertThat(CommandRun.of("ls", file, "--plain").out())
        .contains("roots[0].name\torders\nroots[0].kind\ttreeMap\nroots[0].entries\t2\n")
        .contains("roots[1].codec\tLong\n");
  }
}
