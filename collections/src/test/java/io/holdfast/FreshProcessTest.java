package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.RecoveryReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a new process loads before it has its first answer from a store that was killed: counted,
/// for its time is that of loading.
@Timeout(120)
class FreshProcessTest {
  @TempDir private Path directory;

  /// Puts, and dies.
  static final class Killed {
    public static void main(String[] files) {
      Holdfast store = Holdfast.open(Path.of(files[0]));
      store.hashMap("map", String.class, Long.class).put("key", 1L);
      store.treeMap("tree", String.class, Long.class).put("key", 2L);
      Runtime.getRuntime().halt(0);
    }
  }

  /// Opens, gets, puts.
  static final class Opener {
    public static void main(String[] files) {
      Holdfast store = Holdfast.open(Path.of(files[0]));
      long found =
          store.hashMap("map", String.class, Long.class).get("key")
              + store.treeMap("tree", String.class, Long.class).get("key");
      store.atomically(() -> store.hashMap("map", String.class, Long.class).put("key", 3L));
      System.out.println(store.recovery().outcome() + " " + found);
      Runtime.getRuntime().halt(0);
    }
  }

  /// Opens, and gets.
  static final class Getter {
    public static void main(String[] files) {
      Holdfast store = Holdfast.open(Path.of(files[0]));
      System.out.println(store.treeMap("tree", String.class, Long.class).get("key"));
      Runtime.getRuntime().halt(0);
    }
  }

  /// What a process has loaded that opens a store after another one was killed.
  private List<String> loaded(Class<?> program, String answer)
      throws IOException, InterruptedException {
    String file = directory.resolve("shop.hf").toString();
    try (ChildJvm killed = ChildJvm.start(Killed.class, file)) {
      killed.awaitEnd();
    }
    Path log = directory.resolve("classes");
    List<String> logged = List.of("env", "JDK_JAVA_OPTIONS=-Xlog:class+load:file=" + log);
    try (ChildJvm opener = ChildJvm.startBy(logged, program, file)) {
      assertThat(opener.readLine()).isEqualTo(answer);
      opener.awaitEnd();
    }
    return Files.readAllLines(log);
  }

  /// Were 1,780, 230 and 160 when opening logged a line, started two virtual threads, joined
  /// strings by `invokedynamic` and went through streams. An empty program has some 450; the first
  /// access to a mapped segment takes some 400 more, 20 of them made at run time.
  @Test
  void loadsFewClassesBeforeItsFirstAnswer() throws IOException, InterruptedException {
    List<String> loaded = loaded(Getter.class, "2");
    assertThat(loaded).hasSizeLessThan(1_450);
    assertThat(loaded)
        .filteredOn(line -> line.contains(" io.holdfast.") && !line.contains("/0x"))
        .hasSizeLessThan(232);
    assertThat(loaded)
        .as("made at run time: lambdas, the forms of method handles")
        .filteredOn(line -> line.contains("/0x") && !line.contains("shared objects file"))
        .hasSizeLessThan(80);
    assertThat(loaded)
        .noneMatch(line -> line.contains(" java.util.logging."))
        .noneMatch(line -> line.contains(" java.lang.VirtualThread$"))
        .noneMatch(line -> line.contains(" java.util.Formatter "))
        .noneMatch(line -> line.contains("$$StringConcat/"));
  }

  @Test
  void loadsNothingForEventsThatNobodyRecords() throws IOException, InterruptedException {
    assertThat(loaded(Opener.class, Outcome.RECOVERED + " 3"))
        .anyMatch(line -> line.contains("io.holdfast.core.recovery.Recovery "))
        .anyMatch(line -> line.contains("io.holdfast.codec.Leaves "))
        .noneMatch(line -> line.contains("jdk.jfr.Event "))
        .noneMatch(line -> line.contains("io.holdfast.codec.TimeLeaves "))
        .noneMatch(line -> line.contains("io.holdfast.codec.PrimitiveArrays "));
  }
}
