package io.holdfast.agent;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A copy of a directory in which the classes in scope are woven, or the directory itself. All else
/// is copied as it is, empty directories and times too.
///
/// Nothing is written if a class is refused or none is woven: first all is woven, then written.
final class WovenDirectory {
  private final Path input;
  private final Path output;
  private final BuildWeaver weaver;
  private final List<Path> directories = new ArrayList<>();
  private final List<Path> files = new ArrayList<>();
  private final List<WovenFile> woven = new ArrayList<>();

  /// @param path relative to the directory
  private record WovenFile(Path path, byte[] bytes) {}

  WovenDirectory(Path input, Path output, BuildWeaver weaver) {
    this.input = input;
    this.output = output;
    this.weaver = weaver;
  }

  /// @throws CommandException if the copy would lie in what is copied
  void write() throws IOException {
    Path from = input.toRealPath();
    Path to = Files.exists(output) ? output.toRealPath() : output.toAbsolutePath().normalize();
    if (!to.equals(from) && to.startsWith(from)) {
      throw CommandException.failure(
          "the copy would lie inside of what is copied: %s in %s", output, input);
    }
    if (Files.exists(to) && !Files.isDirectory(to)) {
      throw CommandException.failure("-o is a file, and a directory is woven: %s", output);
    }
    Files.walkFileTree(from, new Reader(from));
    if (!weaver.isWoven()) {
      return;
    }
    if (!to.equals(from)) {
      for (Path directory : directories) {
        Files.createDirectories(to.resolve(directory));
      }
      for (Path file : files) {
        copy(from.resolve(file), to.resolve(file));
      }
    }
    for (WovenFile each : woven) {
      replace(from.resolve(each.path), to.resolve(each.path), each.bytes);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
  }

  /// By a file beside it and a move, so that there is never half a class. The time of the original
  /// stays, so that builds of one commit are the same.
  private static void replace(Path from, Path to, byte[] bytes) throws IOException {
    Path temporary = to.resolveSibling(to.getFileName() + ".woven");
    var time = Files.getLastModifiedTime(from);
    Files.write(temporary, bytes);
    Files.setLastModifiedTime(temporary, time);
    Files.move(temporary, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private final class Reader extends SimpleFileVisitor<Path> {
    private final Path root;

    Reader(Path root) {
      this.root = root;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      directories.add(root.relativize(directory));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Path path = root.relativize(file);
      if (!path.toString().endsWith(".class")) {
        files.add(path);
        return FileVisitResult.CONTINUE;
      }
      Optional<byte[]> result =
          weaver.weave(path.toString().replace('\\', '/'), Files.readAllBytes(file));
      if (result.isEmpty()) {
        files.add(path);
      } else {
        woven.add(new WovenFile(path, result.get()));
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
