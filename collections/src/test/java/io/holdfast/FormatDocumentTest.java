package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.word.WordLayout;
import io.holdfast.collections.queue.QueueBlocks;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.heap.RootDirectory;
import io.holdfast.core.log.LogSlot;
import io.holdfast.core.log.UndoEntry;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.section.watch.BlackBox;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/// `docs/format.md` says of every constant of the layout what the code says, and leaves none out.
class FormatDocumentTest {
  /// A row of a table whose last cell names a constant: its first cell, class, constant, index.
  private static final Pattern ROW =
      Pattern.compile(
          "\\| *(0x[0-9a-fA-F]+|[0-9]+) *\\|.*\\| *`(\\w+)\\.(\\w+)(?:\\[(\\d+)\\])?` *\\|");

  /// Where the classes are that the document names, by packages that only tests look into.
  private static final List<String> PLACES =
      List.of(
          RegionLayout.class.getPackageName() + ".",
          RegionHeader.class.getName() + "$",
          SpanTable.class.getName() + "$",
          LogSlot.class.getPackageName() + ".",
          UndoEntry.class.getName() + "$",
          BlackBox.class.getPackageName() + ".",
          RootDirectory.class.getPackageName() + ".",
          QueueBlocks.class.getPackageName() + ".",
          MapLayout.class.getPackageName() + ".",
          WordLayout.class.getPackageName() + ".",
          TreeLayout.class.getPackageName() + ".");

  /// Bits that the document tells in words, sizes that follow from others, and limits of this
  /// version's own.
  private static final Set<String> DERIVED_OF_MAPS =
      Set.of(
          "BUCKET_BYTES",
          "CLASS_BYTES",
          "COUNT_SHIFT",
          "ENTRY_MAX",
          "DENSE_SHORT_PAYLOAD",
          "FURTHER_LINE_PAYLOAD",
          "LARGE_BYTES",
          "LARGE_CLASS",
          "LARGE_LENGTHS",
          "LONG_KEY_SHIFT",
          "LONG_LENGTH",
          "LONG_VALUE_SHIFT",
          "NUMBER_MAX",
          "PLACE",
          "PLACE_CLASS_SHIFT",
          "READY",
          "SEGMENT_BYTES",
          "SEGMENT_DEPTH",
          "SHORT_KEY_SHIFT",
          "SHORT_LENGTH",
          "SHORT_NUMBER_SHIFT",
          "SHORT_VALUE_SHIFT",
          "STRIPE_BYTES",
          "VERSION_SHIFT",
          "WIDE_NEXT_SHIFT");

  /// Classes all of whose numbers are part of the format, but for these.
  private static final Map<String, Set<String>> COMPLETE =
      Map.ofEntries(
          Map.entry("RegionLayout", Set.of()),
          Map.entry("OpeningRecord", Set.of("LOW", "WORDS")),
          Map.entry("RegionOwner", Set.of("WORDS", "ANSWER_NANOS")),
          Map.entry("BlackBox", Set.of("LOW", "NAMES_BYTES", "THREAD_BYTES_MAX")),
          Map.entry("LogSlot", Set.of()),
          Map.entry("UndoEntry", Set.of()),
          Map.entry("RootBlocks", Set.of("CHECKSUM_MARK")),
          Map.entry("QueueLayout", Set.of("LENGTH_SHIFT")),
          Map.entry("MapLayout", DERIVED_OF_MAPS),
          Map.entry("WordLayout", Set.of("PAIR_BYTES")),
          Map.entry("TreeLayout", Set.of()),
          Map.entry("Use", Set.of()),
          Map.entry("Kind", Set.of()),
          Map.entry("State", Set.of()));

  private record Row(String value, String type, String constant, String index) {
    @Override
    public String toString() {
      return type + "." + constant + (index == null ? "" : "[" + index + "]");
    }
  }

  private static List<Row> rows() throws IOException {
    Path document = Path.of("../docs/format.md"); // tests run in the module's directory
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(document)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.add(new Row(row.group(1), row.group(2), row.group(3), row.group(4)));
      } else {
        assertThat(line)
            .as("a row that is not checked")
            .doesNotMatch("\\|.*\\| *`\\w+\\.\\w+.*` *\\|");
      }
    }
    return rows;
  }

  private static Class<?> type(String name) {
    for (String place : PLACES) {
      try {
        return Class.forName(place + name);
      } catch (ClassNotFoundException e) {
        // In another place, then.
      }
    }
    throw new AssertionError("the document names a class that is none: " + name);
  }

  private static long value(Row row) throws ReflectiveOperationException {
    Field field = type(row.type()).getDeclaredField(row.constant());
    field.setAccessible(true);
    Object value = field.get(null);
    if (row.index() != null) {
      value = Array.get(value, Integer.parseInt(row.index()));
    }
    return value instanceof Enum<?> constant ? constant.ordinal() : ((Number) value).longValue();
  }

  @Test
  void theDocumentSaysWhatTheCodeSays() throws Exception {
    SoftAssertions all = new SoftAssertions();
    List<Row> rows = rows();
    for (Row row : rows) {
      all.assertThat(Long.decode(row.value())).as(row.toString()).isEqualTo(value(row));
    }
    all.assertAll();
    assertThat(rows).hasSizeGreaterThan(70);
  }

  @Test
  void theDocumentLeavesNoConstantOut() throws Exception {
    Map<String, Set<String>> named = new TreeMap<>();
    for (Row row : rows()) {
      named.computeIfAbsent(row.type(), type -> new TreeSet<>()).add(row.constant());
    }
    SoftAssertions all = new SoftAssertions();
    COMPLETE.forEach(
        (name, others) -> {
          Set<String> constants = new TreeSet<>(constants(type(name)));
          constants.removeAll(others);
          all.assertThat(named.get(name)).as(name).containsExactlyElementsOf(constants);
        });
    all.assertThat(named.get("SizeClass")).containsExactly("BYTES", "SPANS");
    all.assertAll();
    long classes = rows().stream().filter(row -> row.type().equals("SizeClass")).count();
    Field bytes = type("SizeClass").getDeclaredField("BYTES");
    bytes.setAccessible(true);
    assertThat(classes).isEqualTo(2L * Array.getLength(bytes.get(null)));
  }

  private static List<String> constants(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
        .filter(
            field ->
                field.isEnumConstant()
                    || field.getType() == int.class
                    || field.getType() == long.class)
        .map(Field::getName)
        .toList();
  }
}
