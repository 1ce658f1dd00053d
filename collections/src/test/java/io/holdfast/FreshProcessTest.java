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

  @Test
  void loadsNothingForEventsThatNobodyRecords() throws IOException, InterruptedException {
    String file = directory.resolve("shop.hf").toString();
    try (ChildJvm killed = ChildJvm.start(Killed.class, file)) {
      killed.awaitEnd();
    }
    Path log = directory.resolve("classes");
    List<String> logged = List.of("env", "JDK_JAVA_OPTIONS=-Xlog:class+load:file=" + log);
    try (ChildJvm opener = ChildJvm.startBy(logged, Opener.class, file)) {
      assertThat(opener.readLine()).isEqualTo(Outcome.RECOVERED + " 3");
      opener.awaitEnd();
    }
    assertThat(Files.readAllLines(log))
        .anyMatch(line -> line.contains("io.holdfast.core.recovery.Recovery "))
        .anyMatch(line -> line.contains("io.holdfast.codec.Leaves "))
        .noneMatch(line -> line.contains("jdk.jfr.Event "))
        .noneMatch(line -> line.contains("io.holdfast.codec.TimeLeaves "))
        .noneMatch(line -> line.contains("io.holdfast.codec.PrimitiveArrays "));
  }
}
