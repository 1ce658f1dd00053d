package io.holdfast.recovery.cli;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// The option by which commands that read elements find the caller's classes.
final class ClassPath {
  @Option(
      names = {"--class-path", "-cp"},
      paramLabel = "PATH",
      split = "[:;]",
      description = {
        "jars and directories with classes of yours: codecs that are named in",
        "META-INF/services/io.holdfast.codec.Codec, and the classes that they need"
      })
  private List<Path> paths = new ArrayList<>();

  /// The caller's classes, over holdfast's own.
  ///
  /// @throws Refusal if a path of theirs is missing
  ClassLoader classes() {
    ClassLoader own = ClassPath.class.getClassLoader();
    if (paths.isEmpty()) {
      return own;
    }
    List<URL> urls = new ArrayList<>();
    for (Path each : paths) {
      if (!Files.exists(each)) {
        throw new Refusal(
            ExitCode.USAGE,
            "--class-path: there is no such file: " + each,
            "ls -l " + Refusals.quoted(each));
      }
      try {
        urls.add(each.toUri().toURL());
      } catch (MalformedURLException e) {
        throw new IllegalStateException("a path that is no URL: " + each, e);
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), own);
  }
}
