package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Weaves the JDK, whose classes can't be loaded again: the Class-File API's verifier looks at
/// them. For other libraries see {@link LibrariesTest}.
class CorpusTest {
  private int classes;
  private int woven;
  private int methods;
  private int blocks;
  private final List<String> refused = new ArrayList<>();

  private void weaveAll(Path root, ClassLoader loader) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(CorpusTest::isClass)::iterator) {
        weave(root.relativize(file).toString(), Files.readAllBytes(file), loader);
      }
    }
  }

  /// Files of multi-release jars have their classes' names only with their version's prefix.
  private static boolean isClass(Path file) {
    String name = file.toString();
    return name.endsWith(".class") && !name.contains("META-INF") && !name.contains("module-info");
  }

  private void weave(String file, byte[] bytes, ClassLoader loader) {
    classes++;
    try {
      Weaver.Result result = Weaver.weave(bytes, loader);
      methods += result.count(Construct.METHOD);
      blocks += result.count(Construct.BLOCK);
      if (result.bytes().isPresent()) {
        woven++;
        WovenLoader.verified(result.bytes().get(), loader);
      }
    } catch (WeavingException e) {
      refused.add(file + ": " + e.getMessage());
    }
  }

  private void print(String corpus) {
    System.out.printf(
        "%s: classes=%d, woven=%d, synchronized methods=%d, blocks=%d, refused=%d%n",
        corpus, classes, woven, methods, blocks, refused.size());
  }

  @Test
  void theClassesOfTheJdk() throws IOException {
    FileSystem jdk = FileSystems.getFileSystem(URI.create("jrt:/"));
    for (String module : List.of("java.base", "java.desktop", "jdk.compiler", "java.xml")) {
      weaveAll(jdk.getPath("/modules", module), ClassLoader.getSystemClassLoader());
    }
    print("JDK");
    assertThat(classes).isGreaterThan(5_000);
    assertThat(blocks).isGreaterThan(500);
    assertThat(methods).isGreaterThan(500);
    assertThat(refused)
        .allMatch(each -> each.endsWith("a native synchronized method has no body to weave"));
  }
}
