package io.holdfast.stress.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Where a build has put the classes that faults are put into, their tests, and what these need.
///
/// @param root of the build
record CodeUnderTrial(Path root) {
  private static final List<String> MODULES = List.of("core", "collections");

  /// @throws IllegalStateException if this program was not built here
  static CodeUnderTrial find() {
    try {
      Path here =
          Path.of(CodeUnderTrial.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      // stress/target/stress.jar or stress/target/classes
      Path root = here.getParent().getParent().getParent();
      if (!Files.isRegularFile(classPathFile(root))) {
        throw new IllegalStateException(
            "not a build with its tests: missing=%s. Build it with mvn -DskipTests package"
                .formatted(classPathFile(root)));
      }
      return new CodeUnderTrial(root);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path classPathFile(Path root) {
    return root.resolve("stress/target/test-classpath");
  }

  List<Path> classes() {
    return in("target/classes");
  }

  List<Path> tests() {
    return in("target/test-classes");
  }

  private List<Path> in(String directory) {
    return MODULES.stream().map(module -> root.resolve(module).resolve(directory)).toList();
  }

  /// The class path of a JVM that runs the tests.
  String classPath() {
    List<String> path = new ArrayList<>();
    Stream.concat(classes().stream(), tests().stream()).forEach(each -> path.add(each.toString()));
    path.add(root.resolve("stress/target/classes").toString());
    path.add(root.resolve("stress/target/test-classes").toString());
    try {
      path.add(Files.readString(classPathFile(root)).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return String.join(System.getProperty("path.separator"), path);
  }
}
