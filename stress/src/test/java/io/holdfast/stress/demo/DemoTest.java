package io.holdfast.stress.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.Holdfast;
import io.holdfast.stress.kill.KillLoop;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.WorkerFailedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DemoTest {
  @TempDir Path directory;

  @Test
  void everyLineComesOutOnceAndInOrder() throws Exception {
    Path file = directory.resolve("text");
    Files.writeString(file, "one\ntwo\r\n\nvier mit Umlaut: ä\n" + "long ".repeat(5_000));
    Demo demo = new Demo(file, 6, 1);
    int[] kills = new int[1];

    demo.run(directory, () -> kills[0]++);

    assertThat(kills[0]).isEqualTo(6);
    assertThat(demo.isRight()).as(demo.report()).isTrue();
    assertThat(demo.report()).contains("once and in order").containsPattern("kills +3 +3");
  }

  static List<Arguments> faults() {
    Consumer<Queue<Line>> loss = Queue::remove;
    Consumer<Queue<Line>> duplicate = in -> in.add(in.element());
    Consumer<Queue<Line>> disorder = in -> in.add(in.remove());
    return List.of(
        arguments("lost", loss),
        arguments("duplicated", duplicate),
        arguments("out of order", disorder));
  }

  /// Done to the store between two workers, and to be found by its row of the table alone.
  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void aFaultInTheStoreIsCounted(String row, Consumer<Queue<Line>> fault) throws Exception {
    Path region = directory.resolve("atomically-0.hf");
    Demo demo = new Demo(null, 8, 1);
    boolean[] done = new boolean[1];

    demo.run(directory, () -> done[0] = done[0] || spoil(region, fault));

    assertThat(done[0]).isTrue();
    assertThat(demo.isRight()).isFalse();
    assertThat(demo.report())
        .containsPattern(row + " +1 +0")
        .contains("NOT as promised. Reproduce: ./holdfast demo --kills 8 --seed 1");
    for (String other : List.of("lost", "duplicated", "out of order", "damaged")) {
      if (!other.equals(row)) {
        assertThat(demo.report()).containsPattern(other + " +0 +0");
      }
    }
  }

  /// @return `false` if there is nothing to be spoiled yet
  private static boolean spoil(Path region, Consumer<Queue<Line>> fault) {
    if (!Files.exists(region)) {
      return false;
    }
    try (Holdfast store = Holdfast.open(region)) {
      LineWorkload.Pipe pipe = LineWorkload.Pipe.of(store);
      boolean fed = !pipe.fed().isEmpty();
      if (fed) {
        pipe.feed(Text.ofLicense());
        pipe.feed(Text.ofLicense()); // of two lines one can overtake the other
        fault.accept(pipe.in());
      }
      return fed;
    }
  }

  /// A demo that can't fail would show nothing. Between the poll and the offer, or between the
  /// offer and the count, a worker without sections spends much of its time.
  @Test
  void linesThatAreMovedWithoutASectionAreNoticed() throws Exception {
    BareLines lines = new BareLines();
    lines.with(Text.ofLicense());
    Path file = directory.resolve("text");
    Text.ofLicense().copyTo(file);
    Map<String, String> parameters = Map.of(LineWorkload.FILE, file.toString());
    KillLoop loop = new KillLoop(() -> lines, directory, 3, 1, parameters);
    boolean noticed = false;
    for (int i = 0; i < 100 && !noticed; i++) {
      try {
        loop.cycle();
        noticed = !lines.ledger().isRight();
      } catch (Violation | WorkerFailedException _) {
        noticed = true; // the count does not agree, or is not there
      }
    }
    assertThat(noticed).isTrue();
  }

  @Test
  void whatIsNoUtf8IsTakenByteForByte() throws Exception {
    Path file = directory.resolve("latin");
    Files.write(file, "caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));

    assertThat(Text.of(file).line(0).text()).isEqualTo("caf\u00e9");
  }

  @Test
  void aPipeIsReadOnce() throws Exception {
    Path pipe = directory.resolve("pipe");
    assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Thread writer = Thread.ofVirtual().start(() -> Text.ofLicense().copyTo(pipe));

    Demo demo = new Demo(pipe, 2, 1);
    writer.join();
    demo.run(directory, () -> {});

    assertThat(demo.isRight()).as(demo.report()).isTrue();
  }

  @Test
  void drainingMovesWhatIsLeft() {
    AtomicLines lines = new AtomicLines();
    Text text = Text.ofLicense();
    lines.with(text);
    try (Holdfast store = Holdfast.open(directory.resolve("store.hf"))) {
      LineWorkload.Pipe pipe = LineWorkload.Pipe.of(store);
      pipe.fed().add(0L);
      for (int i = 0; i < 3; i++) {
        lines.feed(store, pipe, text);
      }
      assertThat(lines.move(store, pipe)).isEqualTo(text.line(0));
      lines.drain(store);
    }
    assertThat(lines.ledger().out()).isEqualTo(3);
    assertThat(lines.ledger().isRight()).isTrue();
  }
}
