package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.region.Region;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The recipe of docs/guide.md, "Start faster", as it stands there: a program is recorded once, and
/// from then on the JVM takes its classes, ours too, out of a cache.
@Timeout(300)
class AotCacheTest {
  @TempDir private Path directory;

  /// Opens, gets and closes.
  static final class Shop {
    public static void main(String[] files) {
      try (Holdfast store = Holdfast.open(Path.of(files[0]))) {
        System.out.println(
            store.treeMap("tree", String.class, Long.class).get("key")
                + store.hashMap("map", String.class, Long.class).get("key"));
      }
    }
  }

  @Test
  void classesComeFromTheCache() throws Exception {
    String file = directory.resolve("shop.hf").toString();
    try (ChildJvm killed = ChildJvm.start(FreshProcessTest.Killed.class, file)) {
      killed.awaitEnd();
    }
    String classPath =
        String.join(":", jar("core", Region.class), jar("c", Holdfast.class), jar("t", Shop.class));
    Path cache = directory.resolve("shop.aot");
    assertThat(java("-XX:AOTCacheOutput=" + cache, "-cp", classPath, Shop.class.getName(), file))
        .contains("3");
    assertThat(cache).exists();

    List<String> lines =
        java(
            "-XX:AOTCache=" + cache,
            "-XX:AOTMode=on", // so that a cache that does not fit is an error
            "-Xlog:class+load",
            "-cp",
            classPath,
            Shop.class.getName(),
            file);
    assertThat(lines).contains("3");
    assertThat(lines)
        .filteredOn(line -> line.contains(" io.holdfast.") && !line.contains("/0x"))
        .hasSizeGreaterThan(150)
        .allMatch(line -> line.endsWith("source: shared objects file"));
    assertThat(lines)
        .as("what the JVM still loads, or makes, by itself")
        .filteredOn(line -> line.contains(" source: ") && !line.contains("shared objects file"))
        .hasSizeLessThan(60);
  }

  /// The JVM takes classes of jars alone.
  private String jar(String name, Class<?> one) throws URISyntaxException {
    Path from = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (!Files.isDirectory(from)) {
      return from.toString();
    }
    String jar = directory.resolve(name + ".jar").toString();
    ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
    assertThat(tool.run(System.out, System.err, "-cf", jar, "-C", from.toString(), ".")).isZero();
    return jar;
  }

  private static List<String> java(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines;
    try (var output = process.inputReader()) {
      lines = output.lines().toList();
    }
    assertThat(process.waitFor()).as(() -> String.join("\n", lines)).isZero();
    return lines;
  }
}
