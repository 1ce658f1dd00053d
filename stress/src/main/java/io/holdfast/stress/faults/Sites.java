package io.holdfast.stress.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// All sites of compiled classes: nobody lists them, so that a new flush is a new fault.
final class Sites {
  /// @param directories with class files
  static List<Site> in(List<Path> directories) {
    Set<Site> sites = new LinkedHashSet<>();
    for (Path directory : directories) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Sites::isClass).sorted().toList()) {
          FaultWeaver.weave(
              Files.readAllBytes(file),
              site -> {
                sites.add(site);
                return false;
              });
        }
      } catch (IOException e) {
        throw new UncheckedIOException("class files can't be read: " + directory, e);
      }
    }
    return List.copyOf(sites);
  }

  private static boolean isClass(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".class") && !name.endsWith("-info.class");
  }

  private Sites() {}
}
