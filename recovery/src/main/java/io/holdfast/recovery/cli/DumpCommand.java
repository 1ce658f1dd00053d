package io.holdfast.recovery.cli;

import io.holdfast.recovery.Progress;
import io.holdfast.recovery.RegionView;
import io.holdfast.recovery.RootReader;
import io.holdfast.recovery.RootReader.Element;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The elements of a collection.
@Command(
    name = "dump",
    description = {
      "Prints the elements of a collection, as JSON lines or as CSV.",
      "Values are read by what the file says of their form; codecs of your own are found by"
          + " --class-path. What can't be read is printed as bytes.",
      "The file is not changed, and may be in use."
    })
final class DumpCommand extends RegionCommand {
  @Mixin private ClassPath classPath;

  @Parameters(index = "1", paramLabel = "ROOT", description = "the collection's name")
  private String root;

  @Option(names = "--csv", description = "prints CSV: records' components as columns")
  private boolean csv;

  @Option(
      names = "--from",
      paramLabel = "KEY",
      description =
          "the first key; of a queue the first element's position, from 0 on, and of a delay queue"
              + " the first time, as 2027-01-31T12:00:00Z")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "KEY",
      description = "the key, position or time to stop before")
  private String to;

  @Option(names = "--limit", paramLabel = "N", description = "prints N elements at most")
  private long limit = Long.MAX_VALUE;

  @Option(names = "--raw", description = "prints all keys and values as bytes")
  private boolean raw;

  /// Elements of some milliseconds.
  private static final long LOOK_EVERY = 10_000;

  private long nextLook = LOOK_EVERY;

  /// What is printed of an element, when it is its turn.
  private record Row(Object key, Object value) {}

  private Values keys;
  private Values values;
  private KeyRange range;
  private boolean isSorted;
  private boolean isByTime;
  private long position;
  private long printed;

  @Override
  ExitCode run() throws IOException {
    checkRange("--limit", limit, 0, Long.MAX_VALUE);
    try (RegionView view = RegionView.open(file())) {
      remarkInUse(view);
      RootReader reader = RootReader.of(view.recovered(), root);
      check(reader);
      ClassLoader classes = classPath.classes();
      values = Values.of(reader.valueCodec(), classes, raw);
      keys = reader.hasKeys() ? Values.of(reader.keyCodec(), classes, raw) : null;
      range = range(reader);
      if (!reader.hasKeys() && from != null) {
        checkRange("--from", Long.valueOf(from), 0, Long.MAX_VALUE);
      }
      remarkUnread(values);
      if (keys != null) {
        remarkUnread(keys);
      }
      isSorted = isSorted(reader);
      isByTime = reader.isByTime();
      try (RowWriter writer =
              csv ? RowWriter.csv(out(), keys, values) : RowWriter.json(out(), keys != null);
          Progress.Task task = progress().begin("elements", -1, "elements")) {
        reader.forEach(elements -> print(elements, writer, task));
      }
      return ExitCode.SOUND;
    }
  }

  private void check(RootReader reader) {
    if (reader == null) {
      throw new Refusal(
          ExitCode.USAGE, file() + ": there is no root of the name " + root, command("ls"));
    }
    if (!reader.isKnown()) {
      throw new Refusal(
          ExitCode.REFUSED,
          "%s: \"%s\" is of a kind that this version does not know: %s of %s"
              .formatted(file(), root, reader.kind(), reader.valueCodec()),
          command("info"));
    }
  }

  private KeyRange range(RootReader reader) {
    String codec = reader.isByTime() ? "Instant" : reader.hasKeys() ? reader.keyCodec() : "Long";
    if (from == null && to == null) {
      return new KeyRange(null, null);
    }
    if (!KeyRange.isPossible(codec) || raw && reader.hasKeys()) {
      throw new Refusal(
          ExitCode.USAGE,
          "--from and --to need keys of a simple type: found=" + codec,
          command("dump", root, "--limit", "100"));
    }
    try {
      return KeyRange.of(codec, from, to);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          ExitCode.USAGE,
          "--from, --to: " + e.getMessage(),
          command("dump", root, "--limit", "1"),
          e);
    }
  }

  private void remarkUnread(Values unread) {
    if (!unread.isReadable() && !raw) {
      remark(
          "no codec is at hand for %s: bytes are shown; name the jar that has it by --class-path"
              .formatted(unread.fingerprint()));
    }
  }

  /// Whether a sorted map's keys are compared as they are here: simple ones in their natural order.
  private boolean isSorted(RootReader reader) {
    boolean natural =
        reader.order().isEmpty() && reader.hasKeys() && KeyRange.isPossible(reader.keyCodec());
    boolean tree = reader.isSorted();
    if (tree && (!natural || raw)) {
      remark(
          "the order of the keys is the program's own: of each 64 neighbours or fewer the order is"
              + " arbitrary here");
    }
    return tree && natural && !raw;
  }

  private boolean print(List<Element> elements, RowWriter writer, Progress.Task task) {
    List<Row> rows = new ArrayList<>(elements.size());
    boolean after = false;
    for (Element each : elements) {
      Object key = keys == null ? (Object) position : keys.read(each.key());
      position++;
      if (range.contains(shown(key))) {
        rows.add(new Row(key, values.read(each.value())));
      } else {
        after |= (keys == null || isSorted) && range.isAfter(shown(key));
      }
    }
    if (isSorted) {
      rows.sort(Comparator.comparing(row -> comparable(row.key())));
    }
    task.advance(rows.size());
    try {
      for (Row row : rows) {
        if (printed == limit) {
          return false;
        }
        writer.write(shown(row.key()), row.value());
        printed++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return !after && printed < limit && somebodyReads();
  }

  /// A key as people know it.
  private Object shown(Object key) {
    return isByTime && key instanceof UUID id
        ? Instant.ofEpochMilli(id.getMostSignificantBits())
        : key;
  }

  /// Looks now and then whether what is printed goes anywhere: `head` reads a few lines and ends.
  private boolean somebodyReads() {
    if (printed < nextLook) {
      return true;
    }
    nextLook = printed + LOOK_EVERY;
    return !out().checkError(); // which flushes
  }

  @SuppressWarnings("unchecked") // of keys of one simple type
  private static Comparable<Object> comparable(Object key) {
    return (Comparable<Object>) Objects.requireNonNull(key);
  }
}
