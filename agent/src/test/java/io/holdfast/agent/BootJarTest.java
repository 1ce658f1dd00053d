package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A Spring Boot jar, started by Boot's own launcher, of which everything is woven: the program's
/// classes, and a library of its. Holdfast is one of the libraries, so the launcher itself does not
/// find the hooks.
class BootJarTest {
  private static final String LIBRARY = "BOOT-INF/lib/neighbour.jar";
  private static final String CORE = "BOOT-INF/lib/holdfast-core.jar";
  private static final String MAIN = "BOOT-INF/classes/com/acme/app/Main.class";
  private static final List<String> WOVEN =
      List.of(
          "before false",
          "block true",
          "method true",
          "nested class true",
          "neighbour true",
          "after false",
          "end false");

  @TempDir Path directory;
  private AgentJvm jvm;
  private Path boot;
  private String said;

  @BeforeEach
  void makeBootJar() throws Exception {
    jvm = new AgentJvm(directory);
    Path classes = directory.resolve("classes");
    Path neighbour = directory.resolve("neighbour");
    AgentJvm.copyClasses("com.acme.app", classes);
    Files.delete(classes.resolve("com/acme/app/Unweavable.class"));
    Files.createDirectories(neighbour.resolve("com/acme/app"));
    Files.move(classes.resolve("com/acme/app/out"), neighbour.resolve("com/acme/app/out"));
    Path library = directory.resolve("neighbour.jar");
    jvm.jar(library, Map.of(), neighbour);
    Path core = AgentJvm.core();
    if (Files.isDirectory(core)) {
      Path jar = directory.resolve("core.jar");
      jvm.jar(jar, Map.of(), core);
      core = jar;
    }
    boot = directory.resolve("shop.jar");
    try (OutputStream file = Files.newOutputStream(boot);
        ZipOutputStream jar = new ZipOutputStream(file)) {
      put(
          jar,
          "META-INF/MANIFEST.MF",
          """
          Manifest-Version: 1.0
          Main-Class: org.springframework.boot.loader.launch.JarLauncher
          Start-Class: com.acme.app.Main
          Spring-Boot-Classes: BOOT-INF/classes/
          Spring-Boot-Lib: BOOT-INF/lib/
          """
              .getBytes(StandardCharsets.UTF_8));
      launcher(jar);
      put(jar, "BOOT-INF/classes/", new byte[0]);
      try (var files = Files.walk(classes)) {
        for (Path each : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          put(jar, "BOOT-INF/classes/" + classes.relativize(each), Files.readAllBytes(each));
        }
      }
      put(jar, "BOOT-INF/lib/", new byte[0]);
      put(jar, LIBRARY, Files.readAllBytes(library));
      put(jar, CORE, Files.readAllBytes(core));
    }
  }

  private static void launcher(ZipOutputStream jar) throws IOException {
    try (ZipFile loader = new ZipFile("target/boot/loader.jar")) {
      for (ZipEntry each : Collections.list(loader.entries())) {
        if (each.getName().startsWith("org/")) {
          try (InputStream in = loader.getInputStream(each)) {
            put(jar, each.getName(), in.readAllBytes());
          }
        }
      }
    }
  }

  /// Libraries are stored uncompressed, or Boot does not read them.
  private static void put(ZipOutputStream jar, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    if (name.endsWith(".jar")) {
      CRC32 sum = new CRC32();
      sum.update(bytes);
      entry.setMethod(ZipEntry.STORED);
      entry.setCrc(sum.getValue());
      entry.setSize(bytes.length);
    }
    jar.putNextEntry(entry);
    jar.write(bytes);
    jar.closeEntry();
  }

  private int weave(Path out, String... more) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    List<String> arguments =
        new ArrayList<>(List.of("weave", boot.toString(), "-o", out.toString()));
    Collections.addAll(arguments, more);
    int exitCode = AgentCommand.run(print, print, arguments);
    said = bytes.toString(StandardCharsets.UTF_8);
    return exitCode;
  }

  private static byte[] read(ZipFile jar, String name) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return in.readAllBytes();
    }
  }

  @Test
  void runsWithoutTheAgentAsItIs() throws Exception {
    assertThat(jvm.java(List.of("-jar", boot.toString())).lines())
        .contains("block false", "neighbour false");
  }

  @Test
  void underTheAgent() throws Exception {
    AgentJvm.Run run = jvm.java(List.of(jvm.flag("=include=**"), "-jar", boot.toString()));
    assertThat(run.lines()).containsExactlyElementsOf(WOVEN);
  }

  @Test
  void wovenAtBuildTime() throws Exception {
    Path out = directory.resolve("woven.jar");
    assertThat(weave(out)).as(() -> said).isZero();
    assertThat(said).doesNotContain("not found").doesNotContain("module-info");
    assertThat(jvm.java(List.of("-jar", out.toString())).lines()).containsExactlyElementsOf(WOVEN);
    try (ZipFile before = new ZipFile(boot.toFile());
        ZipFile after = new ZipFile(out.toFile())) {
      assertThat(after.getEntry(LIBRARY).getMethod()).isEqualTo(ZipEntry.STORED);
      assertThat(read(after, LIBRARY)).isNotEqualTo(read(before, LIBRARY));
      assertThat(read(after, CORE)).isEqualTo(read(before, CORE));
      assertThat(read(after, MAIN)).isNotEqualTo(read(before, MAIN));
    }
    assertThat(weave(out, "--include=com.acme.app.out.**")).as(() -> said).isZero();
    try (ZipFile before = new ZipFile(boot.toFile());
        ZipFile after = new ZipFile(out.toFile())) {
      assertThat(read(after, LIBRARY)).isNotEqualTo(read(before, LIBRARY));
      assertThat(read(after, MAIN)).isEqualTo(read(before, MAIN));
    }
  }
}
