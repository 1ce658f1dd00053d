package io.holdfast.agent;

import java.io.File;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The class path of a program that is woven at build time: class files to look at. No class is
/// ever loaded by it.
///
/// Confined to one thread.
final class ClassPathLoader extends URLClassLoader {
  private static final String CLASS_FILE = ".class";

  private final Set<String> missing = new TreeSet<>();

  private ClassPathLoader(URL[] urls) {
    super(urls, ClassLoader.getPlatformClassLoader());
  }

  /// @throws CommandException if an entry is not there
  static ClassPathLoader of(List<Path> entries) {
    URL[] urls = new URL[entries.size()];
    for (int i = 0; i < urls.length; i++) {
      try {
        urls[i] = entries.get(i).toUri().toURL();
      } catch (MalformedURLException e) {
        throw CommandException.failure(
            "no place for classes: path=%s, cause=%s", entries.get(i), e);
      }
    }
    return new ClassPathLoader(urls);
  }

  /// The entries of a `--class-path`.
  ///
  /// @param path with the system's separator; `null` for none
  /// @throws CommandException if one of them is not there
  static List<Path> entries(String path) {
    List<Path> entries = new ArrayList<>();
    if (path != null) {
      for (String entry : path.split(File.pathSeparator)) {
        if (!Files.exists(Path.of(entry))) {
          throw CommandException.failure(
              "an entry of --class-path is not there: entry='%s', --class-path=%s", entry, path);
        }
        entries.add(Path.of(entry));
      }
    }
    return entries;
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    InputStream found = super.getResourceAsStream(name);
    if (found == null && name.endsWith(CLASS_FILE)) {
      missing.add(name.substring(0, name.length() - CLASS_FILE.length()).replace('/', '.'));
    }
    return found;
  }

  /// Whether there is a file of a class. If a jar has one for each of several releases, it is that
  /// of this JVM's which is handed out.
  ///
  /// @param internalName of the class
  boolean has(String internalName) {
    return getResource(internalName + CLASS_FILE) != null;
  }

  /// Classes that were asked for, to know what they extend, and not found.
  Set<String> missing() {
    return missing;
  }
}
