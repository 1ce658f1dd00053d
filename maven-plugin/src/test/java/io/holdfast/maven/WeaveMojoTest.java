package io.holdfast.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Builds a project with Maven, in a process of its own, and a local repository that has the
/// plugin. What else that build needs this one has fetched before.
class WeaveMojoTest {
  private static final String VERSION = "1-test";
  private static final String PROGRAM =
      """
      package com.acme.shop;

      public class Shop {
        public static void main(String[] arguments) {
          synchronized (arguments) {
            System.out.println(
                "in a section: " + io.holdfast.core.section.hooks.SectionHooks.inSection());
          }
        }
      }
      """;

  @TempDir Path directory;
  private Path repository;
  private Path project;

  @BeforeEach
  void makeProject() throws Exception {
    repository = directory.resolve("repository");
    project = Files.createDirectories(directory.resolve("project"));
    install("holdfast-core", placeOf("io/holdfast/core/section/hooks/SectionHooks.class"), "");
    install("holdfast-agent", placeOf("io/holdfast/agent/AgentCommand.class"), "");
    install(
        "holdfast-maven-plugin",
        placeOf("io/holdfast/maven/WeaveMojo.class"),
        dependency("holdfast-agent"));
    Path source = project.resolve("src/main/java/com/acme/shop/Shop.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, PROGRAM);
    Files.writeString(
        directory.resolve("settings.xml"),
        "<settings><mirrors><mirror><id>fetched</id><mirrorOf>*</mirrorOf><url>"
            + Path.of(System.getProperty("test.repository")).toUri()
            + "</url></mirror></mirrors></settings>");
    Files.writeString(
        directory.resolve("toolchains.xml"),
        "<toolchains><toolchain><type>jdk</type><provides><version>25</version></provides>"
            + "<configuration><jdkHome>"
            + System.getProperty("java.home")
            + "</jdkHome></configuration></toolchain></toolchains>");
  }

  private static Path placeOf(String resource) throws Exception {
    URL found = WeaveMojo.class.getClassLoader().getResource(resource);
    String text = found.toString();
    return text.startsWith("jar:")
        ? Path.of(URI.create(text.substring("jar:".length(), text.indexOf("!/"))))
        : Path.of(URI.create(text.substring(0, text.length() - resource.length())));
  }

  private static String dependency(String artifact) {
    return "<dependencies><dependency>" + coordinates(artifact) + "</dependency></dependencies>";
  }

  private static String coordinates(String artifact) {
    return "<groupId>io.holdfast</groupId><artifactId>%s</artifactId><version>%s</version>"
        .formatted(artifact, VERSION);
  }

  private void install(String artifact, Path classes, String dependencies) throws IOException {
    Path place =
        Files.createDirectories(
            repository.resolve("io/holdfast").resolve(artifact).resolve(VERSION));
    String name = artifact + "-" + VERSION;
    Files.writeString(
        place.resolve(name + ".pom"),
        "<project><modelVersion>4.0.0</modelVersion>%s%s</project>"
            .formatted(coordinates(artifact), dependencies));
    Path jar = place.resolve(name + ".jar");
    if (Files.isDirectory(classes)) {
      jar(jar, classes);
    } else {
      Files.copy(classes, jar);
    }
  }

  /// As the build makes it, which comes after the tests.
  private static void jar(Path file, Path classes) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "io.holdfast.agent.AgentCommand");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest);
        var files = Files.walk(classes)) {
      for (Path each : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String name = classes.relativize(each).toString().replace('\\', '/');
        if (!name.equals("META-INF/MANIFEST.MF")) {
          jar.putNextEntry(new JarEntry(name));
          byte[] bytes = Files.readAllBytes(each);
          jar.write(
              name.equals("META-INF/maven/plugin.xml")
                  ? new String(bytes, StandardCharsets.UTF_8)
                      .replaceFirst("<version>.*</version>", "<version>" + VERSION + "</version>")
                      .getBytes(StandardCharsets.UTF_8)
                  : bytes);
          jar.closeEntry();
        }
      }
    }
  }

  /// What this build uses, and has fetched.
  private static String version(String plugin) throws IOException {
    Matcher matcher =
        Pattern.compile("<artifactId>" + plugin + "</artifactId>\\s*<version>(.*?)</version>")
            .matcher(Files.readString(Path.of("../pom.xml")));
    assertThat(matcher.find()).as(plugin).isTrue();
    return matcher.group(1);
  }

  private static String plugin(String artifact, String more) throws IOException {
    return "<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>%s</artifactId><version>%s</version>%s</plugin>"
        .formatted(artifact, version(artifact), more);
  }

  private String build(String include) throws Exception {
    Files.writeString(
        project.resolve("pom.xml"),
        "<project><modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId>"
            + "<artifactId>shop</artifactId><version>1</version><properties>"
            + "<maven.compiler.release>25</maven.compiler.release>"
            + "<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>"
            + dependency("holdfast-core")
            + "<build><plugins>"
            + plugin("maven-resources-plugin", "")
            + plugin("maven-compiler-plugin", "")
            + plugin(
                "maven-toolchains-plugin",
                "<executions><execution><goals><goal>toolchain</goal></goals></execution></executions>"
                    + "<configuration><toolchains><jdk><version>25</version></jdk></toolchains></configuration>")
            + "<plugin>"
            + coordinates("holdfast-maven-plugin")
            + "<executions><execution><goals><goal>weave</goal></goals></execution></executions>"
            + "<configuration><include><pattern>"
            + include
            + "</pattern></include></configuration></plugin>"
            + "</plugins></build></project>");
    return run(
        project,
        List.of(
            Path.of(System.getProperty("test.maven.home"), "bin", "mvn").toString(),
            "-B",
            "-ntp",
            "-s",
            directory.resolve("settings.xml").toString(),
            "-t",
            directory.resolve("toolchains.xml").toString(),
            "-Dmaven.repo.local=" + repository,
            "process-classes"));
  }

  private String run(Path where, List<String> command) throws Exception {
    Path output = directory.resolve("output");
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("MAVEN_"));
    Process process =
        builder
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.waitFor();
    return Files.readString(output);
  }

  private String shop() throws Exception {
    Path core =
        repository.resolve(
            "io/holdfast/holdfast-core/" + VERSION + "/holdfast-core-" + VERSION + ".jar");
    return run(
        directory,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            project.resolve("target/classes") + File.pathSeparator + core,
            "com.acme.shop.Shop"));
  }

  @Test
  void aBuildWeavesWhatItCompiles() throws Exception {
    assertThat(build("com.acme.**")).contains("1 classes, 1 woven").contains("BUILD SUCCESS");
    assertThat(shop()).contains("in a section: true");
    assertThat(build("com.acme.**")).contains("1 classes, 0 woven, 1 before");
    assertThat(shop()).contains("in a section: true");
  }

  @Test
  void aBuildThatWeavesNothingFails() throws Exception {
    assertThat(build("com.akme.**"))
        .contains("nothing is woven, so nothing was written")
        .contains("is not woven, and stays as it was")
        .contains("BUILD FAILURE");
  }
}
