package com.acme.early;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;

/// Another agent, which writes down the class files of `com.acme.app` as the agents before it left
/// them.
public class SpyAgent implements ClassFileTransformer {
  private final Path directory;

  private SpyAgent(Path directory) {
    this.directory = directory;
  }

  public static void premain(String directory, Instrumentation instrumentation) {
    instrumentation.addTransformer(new SpyAgent(Path.of(directory)), true);
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> loaded, ProtectionDomain domain, byte[] bytes) {
    if (name.startsWith("com/acme/app/")) {
      Path file = directory.resolve(name + ".class");
      try {
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return null;
  }
}
