package io.holdfast.recovery;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.NewFile;
import io.holdfast.core.memory.PrivateThread;
import io.holdfast.recovery.RootReader.Element;
import io.holdfast.verification.HeldRegion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;

/// Writes all that is in a region as text, which {@link TextImport} of this version and later ones
/// reads: lines of JSON in UTF-8.
///
/// | line | content |
/// |---|---|
/// | first | `{"holdfast":"export","version":1,"region":"…","written":"…"}` |
/// | a root | `{"root":"prices","kind":"hashMap","codec":"Map<String,Long>","created":1789…}`, the last in milliseconds since 1970 |
/// | its entries | `{"k":"…","v":"…"}`, a queue's elements `{"v":"…"}`: encoded bytes in Base64 |
/// | behind them | `{"end":"prices","entries":12,"crc32c":3735928559}`, the sum being over lengths and bytes |
/// | last | `{"holdfast":"end","roots":1}` |
///
/// The bytes are those that docs/codecs.md describes for the codec. A region that was not closed is
/// read as its next opening would find it. The file is not changed.
public final class TextExport {
  static final int VERSION = 1;

  private static final Base64.Encoder BASE_64 = Base64.getEncoder();

  private final Writer out;

  private TextExport(Writer out) {
    this.out = out;
  }

  /// Exports a region to a file, which gets its name when all is in it and durable ({@link
  /// NewFile}): one that was cut off is in nobody's way, and is not read by who can't read the
  /// region.
  ///
  /// @param to is made
  /// @return how many entries were written
  /// @throws io.holdfast.core.RegionLockedException if the region is in use
  /// @throws io.holdfast.core.RegionDamagedException if something in it can't be right; nothing was
  ///   made
  /// @throws RegionAccessException if the new file exists, or can't be written
  public static long export(Path file, Path to, Progress progress) {
    return PrivateThread.call("holdfast-export", () -> make(file, to, progress));
  }

  private static long make(Path file, Path to, Progress progress) {
    try (HeldRegion held = HeldRegion.trusted(file);
        NewFile made = NewFile.of(to, file)) {
      long entries;
      try (Writer text =
              Files.newBufferedWriter(
                  made.part(), StandardCharsets.UTF_8, StandardOpenOption.WRITE);
          Progress.Task task = progress.begin("export", -1, "entries")) {
        entries = new TextExport(text).export(held, task);
      }
      made.publish();
      return entries;
    } catch (UncheckedIOException e) {
      throw refused(file, to, e.getCause());
    } catch (IOException e) {
      throw refused(file, to, e);
    }
  }

  private static RegionAccessException refused(Path file, Path to, IOException cause) {
    return new RegionAccessException(
        "%s: cannot be exported to %s: %s. Make room, or name another file"
            .formatted(file, to, cause),
        cause);
  }

  /// Exports a region.
  ///
  /// @param out is not closed
  /// @return how many entries were written
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws io.holdfast.core.RegionDamagedException if something in it can't be right; what was
  ///   written has no end, and is refused by the import
  /// @throws IOException if it can't be written
  public static long export(Path file, Writer out, Progress progress) throws IOException {
    // By the calling thread, but for the opening: it may hold a lock of the writer's.
    try (HeldRegion held = PrivateThread.call("holdfast-export", () -> HeldRegion.trusted(file));
        Progress.Task task = progress.begin("export", -1, "entries")) {
      return new TextExport(out).export(held, task);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private long export(HeldRegion held, Progress.Task task) throws IOException {
    line(
        "{\"holdfast\":\"export\",\"version\":%s,\"region\":\"%s\",\"written\":\"%s\"}"
            .formatted(VERSION, held.region().identity(), Instant.now()));
    Collection<Root> roots = held.region().roots().all();
    long entries = 0;
    for (Root root : roots) {
      entries += export(held, root, task);
    }
    line("{\"holdfast\":\"end\",\"roots\":%s}".formatted(roots.size()));
    out.flush();
    return entries;
  }

  private long export(HeldRegion held, Root root, Progress.Task task) throws IOException {
    RootReader reader = RootReader.of(held.region(), root.name());
    if (!reader.isKnown()) {
      throw held.unknownKind(root);
    }
    line(
        "{\"root\":%s,\"kind\":%s,\"codec\":%s,\"created\":%s}"
            .formatted(
                JsonLine.quoted(root.name()),
                JsonLine.quoted(root.kind()),
                JsonLine.quoted(root.fingerprint()),
                root.createdMillis()));
    ElementSum sum = new ElementSum();
    reader.forEach(
        elements -> {
          for (Element each : elements) {
            write(each, reader.hasKeys());
            sum.add(each);
          }
          task.advance(elements.size());
          return true;
        });
    line(
        "{\"end\":%s,\"entries\":%s,\"crc32c\":%s}"
            .formatted(JsonLine.quoted(root.name()), sum.count(), sum.value()));
    return sum.count();
  }

  private void write(Element element, boolean hasKey) {
    try {
      out.write("{");
      if (hasKey) {
        out.write("\"k\":\"");
        out.write(BASE_64.encodeToString(element.key()));
        out.write("\",");
      }
      out.write("\"v\":\"");
      out.write(BASE_64.encodeToString(element.value()));
      out.write("\"}\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void line(String text) throws IOException {
    out.write(text);
    out.write('\n');
  }
}
