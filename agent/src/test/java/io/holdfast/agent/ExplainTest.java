package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExplainTest {
  private String said;

  private int explain(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    List<String> all =
        Stream.concat(
                Stream.of("explain", "--class-path", AgentJvm.TEST_CLASSES.toString()),
                Stream.of(arguments))
            .toList();
    int exitCode = AgentCommand.run(out, out, all);
    said = bytes.toString(StandardCharsets.UTF_8);
    return exitCode;
  }

  /// What is said of one method, its head and what belongs to it.
  private String of(String method) {
    int start = said.indexOf("\n  " + method + "(");
    assertThat(start).as(said).isPositive();
    int end = said.indexOf("\n  ", start + 1);
    while (end > 0 && said.startsWith("\n    ", end)) {
      end = said.indexOf("\n  ", end + 1);
    }
    return said.substring(start, end < 0 ? said.length() : end);
  }

  @Test
  void whatIsWovenAndWhatNot() {
    assertThat(explain("com.acme.app.*", "--all")).isEqualTo(AgentCommand.FAILED); // one is refused
    assertThat(said)
        .contains("com.acme.app.Main: woven\n")
        .contains("com.acme.app.Main$Nested: woven\n")
        .contains("com.acme.app.UsesUnweavable: nothing to weave\n")
        .contains(
            "com.acme.app.Unweavable: refused, so it does not run: method=lockedByTheJvm()void");
    assertThat(explain("com.acme.app.Main", "--all", "--exclude=com.acme.app.Main$Nested"))
        .isZero();
    assertThat(said)
        .contains("  method()void:\n    synchronized method\n")
        .contains("  say(String)void: nothing to weave\n")
        .containsPattern(
            "  nested\\(Object,Object\\)int:\n    synchronized block in line \\d+\n"
                + "    synchronized block in line \\d+\n")
        .contains("com.acme.app.Main$Nested: not woven: out of scope\n");
  }

  @Test
  void inBriefWhatIsWovenComesFirst() {
    explain("com.acme.app.*", "--exclude=com.acme.app.Main$Nested");
    assertThat(said)
        .contains("  method()void: synchronized method\n")
        .containsPattern(
            "  nested\\(Object,Object\\)int: synchronized block in line \\d+, synchronized block"
                + " in")
        .containsPattern(
            "\\d+ other classes: nothing to weave in \\d+, 1 out of scope; --all lists")
        .doesNotContain("say(String)", "com.acme.app.UsesUnweavable:", "Main$Nested");
    assertThat(said.indexOf("com.acme.app.Shapes: woven"))
        .isPositive()
        .isLessThan(said.indexOf("com.acme.app.Unweavable: refused"));
    explain("com.acme.advice.Questionable");
    assertThat(of("moves")).contains("nothing to weave\n    likely wrong: changes without a lock");
    assertThat(said).doesNotContain("adds(");
  }

  /// What others learn from ends a section, what they only look at does not.
  @Test
  void whatEndsASection() {
    explain("com.acme.Locks", "com.acme.Exchanges", "com.acme.Monitors", "--releases");
    for (String ends :
        List.of(
            "give", "toReading", "giveStamped", "block", "arrive", "put", "take", "terminate")) {
      assertThat(of(ends)).contains("\n    ends a section: ");
    }
    for (String goesOn :
        List.of("takeStamped", "reader", "readOptimistically", "phase", "room", "isTerminated")) {
      assertThat(of(goesOn)).doesNotContain("ends a section");
    }
    assertThat(of("block"))
        .containsPattern("ends a section: lock java.util.concurrent.locks.Lock.unlock in line \\d+")
        .doesNotContainPattern("ends a section: .*Lock\\.lock");
    explain("com.acme.Locks", "--all");
    assertThat(said).doesNotContain("ends a section");
  }

  @Test
  void aClassThatIsNotThere() {
    assertThat(explain("com.acme.Missing")).isEqualTo(AgentCommand.FAILED);
    assertThat(said)
        .contains("no class of this name is on the class path: class=[com.acme.Missing]");
    assertThat(explain()).isEqualTo(AgentCommand.USAGE);
    assertThat(said).contains("explain needs names or patterns of classes, and --class-path");
  }

  @Test
  void advice() {
    explain("com.acme.advice.Questionable", "--all");
    assertThat(of("sleeps")).contains("a pause in a section: java.lang.Thread.sleep (line ");
    assertThat(of("sleepsOutside")).doesNotContain("likely wrong");
    assertThat(of("sleepsUnderALock").split("likely wrong")).hasSize(2);
    assertThat(of("writes"))
        .contains("input or output in a section: java.nio.file.Files.writeString");
    assertThat(of("prints")).contains("input or output in a section: java.io.PrintStream.println");
    assertThat(of("handsOver"))
        .contains("a task handed over in a section: java.util.concurrent.ExecutorService.execute");
    assertThat(of("handsOverToo"))
        .contains("in a section: java.util.concurrent.CompletableFuture.runAsync");
    assertThat(of("handsOverOutside")).doesNotContain("likely wrong");
    assertThat(of("inMemory")).doesNotContain("likely wrong");
    assertThat(of("moves"))
        .contains("changes without a lock: PersistentQueue.remove (line ")
        .contains(", PersistentQueue.add (line ");
    assertThat(of("movesUnderALock")).doesNotContain("likely wrong");
    assertThat(of("adds")).doesNotContain("likely wrong");
    assertThat(of("counts"))
        .contains(
            "fields beside a store in a section: fields=[com.acme.advice.Questionable.last,"
                + " com.acme.advice.Questionable.length, com.acme.advice.Questionable.lines]");
    assertThat(of("countsOutside")).doesNotContain("likely wrong");
    assertThat(of("countsAlone")).doesNotContain("likely wrong");
    assertThat(of("opens")).doesNotContain("likely wrong");
    assertThat(of("spans"))
        .contains(
            "two stores in a section: fields=[com.acme.advice.Questionable.here,"
                + " com.acme.advice.Questionable.there]");
  }
}
