package io.holdfast.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// What a Spring Boot jar or a web archive has in it: its own classes in a directory of the jar,
/// and its libraries as jars. They are unpacked, because nothing of the JDK's finds classes in
/// there.
///
/// Confined to one thread; closing it deletes what was unpacked.
final class NestedClasses implements AutoCloseable {
  private static final Pattern CLASS = Pattern.compile("(?:BOOT|WEB)-INF/classes/(.+\\.class)");
  private static final Pattern LIBRARY =
      Pattern.compile("(?:BOOT|WEB)-INF/lib(?:-provided)?/([^/]+\\.jar)");

  private final Path directory;
  private final List<Path> classPath = new ArrayList<>();

  private NestedClasses(Path directory) {
    this.directory = directory;
  }

  /// @param jar a directory has none
  static NestedClasses of(Path jar) throws IOException {
    NestedClasses nested = new NestedClasses(Files.createTempDirectory("holdfast-weave-"));
    try {
      if (Files.isRegularFile(jar)) {
        nested.unpack(jar);
      }
      return nested;
    } catch (IOException | RuntimeException e) {
      nested.close();
      throw e;
    }
  }

  private void unpack(Path file) throws IOException {
    try (ZipFile jar = WovenJar.open(file)) {
      Path classes = directory.resolve("classes");
      classPath.add(Files.createDirectory(classes));
      Enumeration<? extends ZipEntry> entries = jar.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        Matcher ofClass = CLASS.matcher(entry.getName());
        if (ofClass.matches()) {
          Path target = classes.resolve(ofClass.group(1)).normalize();
          if (target.startsWith(classes)) {
            Files.createDirectories(target.getParent());
            copy(jar, entry, target);
          }
        } else if (isLibrary(entry.getName())) {
          Path target = library(entry.getName());
          copy(jar, entry, target);
          classPath.add(target);
        }
      }
    }
  }

  private static void copy(ZipFile jar, ZipEntry entry, Path target) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      Files.copy(in, target);
    }
  }

  static boolean isLibrary(String name) {
    return LIBRARY.matcher(name).matches();
  }

  /// Where a library was unpacked.
  ///
  /// @param name of its entry
  Path library(String name) {
    return directory.resolve(name.replace('/', '_'));
  }

  /// Where its classes are to be looked for.
  List<Path> classPath() {
    return classPath;
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(file);
      }
    }
  }
}
