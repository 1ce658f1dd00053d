package io.holdfast.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;

/// Weaves a module's classes in their place, by the agent's jar in a JVM of its own: Maven's may be
/// older than JDK 25. What was woven before stays as it is.
///
/// `plugin.xml` says where its fields come from. Test: WeaveMojoTest.
public final class WeaveMojo extends AbstractMojo {
  private static final String AGENT = "io/holdfast/agent/AgentCommand.class";

  private File classes;
  private List<String> include;
  private List<String> exclude;
  private String java;
  private boolean skip;
  private List<String> classPath;
  private MavenSession session;
  private ToolchainManager toolchains;

  /// @throws MojoFailureException if a class is refused, or none is woven
  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (skip || !classes.isDirectory()) {
      getLog().info("No classes are woven: skip=%s, classes=%s".formatted(skip, classes));
      return;
    }
    int exitCode = run(command());
    if (exitCode != 0) {
      throw new MojoFailureException(
          "%s is not woven, and stays as it was: see above. exit code=%d"
              .formatted(classes, exitCode));
    }
  }

  private List<String> command() throws MojoExecutionException {
    List<String> command = new ArrayList<>(List.of(java(), "-jar", agent().toString(), "weave"));
    command.addAll(List.of(classes.getPath(), "-o", classes.getPath()));
    command.addAll(List.of("--class-path", String.join(File.pathSeparator, existing())));
    if (include != null && !include.isEmpty()) {
      command.addAll(List.of("--include", String.join(",", include)));
    }
    if (exclude != null && !exclude.isEmpty()) {
      command.addAll(List.of("--exclude", String.join(",", exclude)));
    }
    return command;
  }

  /// A module of the same build may have no classes.
  private List<String> existing() {
    return classPath.stream().filter(entry -> new File(entry).exists()).toList();
  }

  private String java() {
    Toolchain toolchain = toolchains.getToolchainFromBuildContext("jdk", session);
    String found = java == null && toolchain != null ? toolchain.findTool("java") : java;
    return found == null
        ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
        : found;
  }

  private static Path agent() throws MojoExecutionException {
    URL found = WeaveMojo.class.getClassLoader().getResource(AGENT);
    try {
      if (found != null && found.openConnection() instanceof JarURLConnection jar) {
        return Path.of(jar.getJarFileURL().toURI());
      }
    } catch (IOException | URISyntaxException e) {
      throw new MojoExecutionException("no jar of the agent's: " + found, e);
    }
    throw new MojoExecutionException(
        "holdfast-agent is no jar: found=%s. Package it in the same call, or install it"
            .formatted(found));
  }

  private int run(List<String> command) throws MojoExecutionException {
    getLog().debug(String.join(" ", command));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (BufferedReader lines = process.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          getLog().info(line);
        }
      }
      return process.waitFor();
    } catch (IOException e) {
      throw new MojoExecutionException("the agent can't be started: command=" + command, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted while classes are woven: " + classes, e);
    }
  }
}
