package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What Groovy's compiler makes of locks: sections, or a warning.
class GroovyTest {
  private static final String GROOVY = "target/corpus/groovy-5.0.2.jar";
  private static final String SHOP =
      """
      package com.acme.groovy

      import groovy.transform.CompileStatic
      import groovy.transform.WithWriteLock
      import java.util.concurrent.locks.ReentrantLock

      class Shop {
        private final ReentrantLock lock = new ReentrantLock()
        int sold

        synchronized void bySynchronized() { sold++ }

        void byABlock() { synchronized (lock) { sold++ } }

        void dynamically() {
          lock.lock()
          try { sold++ } finally { lock.unlock() }
        }

        @CompileStatic
        void statically() {
          lock.lock()
          try { sold++ } finally { lock.unlock() }
        }

        @WithWriteLock
        void byAnnotation() { sold++ }
      }
      """;

  @TempDir Path directory;

  @Test
  void locksAreSectionsOrWarnings() throws Exception {
    Path source = Files.writeString(directory.resolve("Shop.groovy"), SHOP);
    Path classes = directory.resolve("classes");
    AgentJvm.Run compiled =
        new AgentJvm(directory)
            .java(
                List.of(
                    "-cp",
                    GROOVY,
                    "org.codehaus.groovy.tools.FileSystemCompiler",
                    "-d",
                    classes.toString(),
                    source.toString()));
    assertThat(compiled.exitCode()).as(compiled::text).isZero();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    String classPath = classes + ":" + GROOVY;
    AgentCommand.run(
        out, out, List.of("explain", "--class-path", classPath, "com.acme.groovy.Shop"));
    String dynamic =
        "not woven: a dynamic call of Groovy's, which @CompileStatic makes a plain one: ";
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines().map(String::strip))
        .anyMatch(line -> line.startsWith("bySynchronized()void: synchronized method"))
        .anyMatch(line -> line.startsWith("byABlock()void: synchronized block"))
        .anyMatch(
            line ->
                line.startsWith("statically()void: lock java.util.concurrent.locks.ReentrantLock")
                    && !line.contains("not woven"))
        .anyMatch(line -> line.startsWith("dynamically()void: " + dynamic + "lock"))
        .anyMatch(line -> line.startsWith("byAnnotation()void: " + dynamic + "lock"));
    bytes.reset();
    AgentCommand.run(
        out,
        out,
        List.of(
            "weave",
            classes.toString(),
            "-o",
            directory.resolve("woven").toString(),
            "--class-path",
            classPath));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("warning: com.acme.groovy.Shop.dynamically: " + dynamic + "lock");
  }
}
