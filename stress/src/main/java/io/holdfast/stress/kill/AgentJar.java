package io.holdfast.stress.kill;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/// The jar to be named by `-javaagent`: the one that holds the agent, and that may be this
/// program's own; or, where classes lie in directories, as in an IDE, one that only has a manifest.
public final class AgentJar {
  private static final String PREMAIN_CLASS = "io.holdfast.agent.HoldfastAgent";

  /// @param directory where a jar may be written
  /// @throws IllegalStateException if the agent is not on the class path
  public static Path find(Path directory) {
    try {
      Class<?> agent = Class.forName(PREMAIN_CLASS, false, AgentJar.class.getClassLoader());
      Path origin = Path.of(agent.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.isDirectory(origin)
          ? write(directory.resolve("agent.jar"), PREMAIN_CLASS)
          : origin;
    } catch (ClassNotFoundException | URISyntaxException | IOException e) {
      throw new IllegalStateException(
          "no agent jar: class=%s, class path=%s. Build it with mvn package, or give up the workloads under the agent"
              .formatted(PREMAIN_CLASS, System.getProperty("java.class.path")),
          e);
    }
  }

  /// Writes a jar that has a manifest alone; the agent is on the class path.
  ///
  /// @return the jar
  public static Path write(Path jar, String premainClass) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", premainClass);
    attributes.putValue("Can-Retransform-Classes", "true");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }

  private AgentJar() {}
}
