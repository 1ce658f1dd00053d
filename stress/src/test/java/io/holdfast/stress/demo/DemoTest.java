package io.holdfast.stress.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.Holdfast;
import io.holdfast.stress.kill.KillLoop;
import io.holdfast.stress.kill.Violation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
      } catch (Violation _) {
        noticed = true; // the count does not agree
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
