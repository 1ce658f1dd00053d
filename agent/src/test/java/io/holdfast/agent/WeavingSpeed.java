package io.holdfast.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Measures how long weaving takes in a JVM that has just started, as it does in a program's start:
/// the CPU time of its thread, and of the whole process with its compilers.
///
/// Each run needs a JVM of its own. The libraries are those that the build copies to
/// `target/corpus`:
///
/// ```text
/// java -cp target/classes:target/test-classes io.holdfast.agent.WeavingSpeed list target/corpus > needed
/// java -cp target/classes:target/test-classes io.holdfast.agent.WeavingSpeed weave target/corpus needed
/// ```
public final class WeavingSpeed {
  private static final int CLASSES = 1_000;

  /// Spread over the libraries, so that what is measured is no one's habit.
  private static final int FROM_EACH_JAR_MAX = 100;

  public static void main(String[] arguments) throws Exception {
    Path corpus = Path.of(arguments[1]);
    List<Path> jars;
    try (Stream<Path> files = Files.list(corpus)) {
      jars = files.sorted().toList();
    }
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = jars.get(i).toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      if (arguments[0].equals("list")) {
        list(jars, loader);
      } else {
        weave(Files.readAllLines(Path.of(arguments[2])), loader);
      }
    }
  }

  /// Prints the names of class files that have something to weave.
  private static void list(List<Path> jars, ClassLoader loader) throws IOException {
    int listed = 0;
    for (Path jar : jars) {
      int fromJar = 0;
      try (ZipFile files = new ZipFile(jar.toFile())) {
        for (ZipEntry entry : Collections.list(files.entries())) {
          String name = entry.getName();
          if (name.endsWith(".class")
              && !name.startsWith("META-INF/")
              && listed < CLASSES
              && fromJar < FROM_EACH_JAR_MAX
              && isWoven(files.getInputStream(entry).readAllBytes(), loader)) {
            System.out.println(name);
            fromJar++;
            listed++;
          }
        }
      }
    }
  }

  private static boolean isWoven(byte[] bytes, ClassLoader loader) {
    try {
      return Weaver.weave(bytes, loader).bytes().isPresent();
    } catch (WeavingException e) {
      return false;
    }
  }

  private static void weave(List<String> names, ClassLoader loader) throws IOException {
    List<byte[]> classes = new ArrayList<>();
    long size = 0;
    for (String name : names) {
      try (InputStream in = loader.getResourceAsStream(name)) {
        byte[] bytes = in.readAllBytes();
        size += bytes.length;
        classes.add(bytes);
      }
    }
    long processBefore = processNanos();
    long threadBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    int woven = 0;
    for (byte[] bytes : classes) {
      woven += Weaver.weave(bytes, loader).bytes().isPresent() ? 1 : 0;
    }
    long thread = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - threadBefore;
    System.out.printf(
        "classes=%d, bytes=%d, woven=%d, threadMillis=%d, processMillis=%d%n",
        classes.size(),
        size,
        woven,
        thread / 1_000_000,
        (processNanos() - processBefore) / 1_000_000);
  }

  private static long processNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  private WeavingSpeed() {}
}
