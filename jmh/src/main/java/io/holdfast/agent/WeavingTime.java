package io.holdfast.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/// Weaves classes of the class path's jars, in a process that does nothing before, as a program's
/// start does. In this package because the weaver is the agent's own affair.
public final class WeavingTime {
  private WeavingTime() {}

  /// Names classes that have something to weave, all over a jar.
  ///
  /// @return at most so many
  public static List<String> list(Path jar, int most) throws IOException {
    List<String> names = new ArrayList<>();
    try (JarFile files = new JarFile(jar.toFile())) {
      for (JarEntry entry : files.stream().toList()) {
        String name = entry.getName();
        if (names.size() < most
            && name.endsWith(".class")
            && !name.startsWith("META-INF/")
            && isWoven(files.getInputStream(entry).readAllBytes())) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private static boolean isWoven(byte[] bytes) {
    try {
      return Weaver.weave(bytes, WeavingTime.class.getClassLoader()).bytes().isPresent();
    } catch (WeavingException _) {
      return false; // refused
    }
  }

  /// Weaves the classes that a file names.
  ///
  /// @return nanoseconds, without reading them
  public static long weave(Path list) throws IOException {
    ClassLoader loader = WeavingTime.class.getClassLoader();
    List<byte[]> classes = new ArrayList<>();
    for (String name : Files.readAllLines(list)) {
      try (InputStream in = loader.getResourceAsStream(name)) {
        classes.add(in.readAllBytes());
      }
    }
    long started = System.nanoTime();
    for (byte[] bytes : classes) {
      if (!isWoven(bytes)) {
        throw new IllegalStateException("a class that was woven before is not");
      }
    }
    return System.nanoTime() - started;
  }
}
