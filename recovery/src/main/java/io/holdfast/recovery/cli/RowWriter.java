package io.holdfast.recovery.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Writes elements one after the other, as JSON lines or as CSV. Not thread-safe.
abstract class RowWriter implements AutoCloseable {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
          .build();

  /// @param key absent for a queue's element
  abstract void write(Object key, Object value) throws IOException;

  @Override
  public abstract void close() throws IOException;

  /// An object in a line each: `{"key":…,"value":…}`, or `{"element":…}`.
  static RowWriter json(PrintWriter out, boolean hasKeys) throws IOException {
    JsonGenerator json = FACTORY.createGenerator(out);
    json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    SerializedString keyName = new SerializedString("key");
    SerializedString valueName = new SerializedString(hasKeys ? "value" : "element");
    return new RowWriter() {
      private boolean any;

      @Override
      void write(Object key, Object value) throws IOException {
        json.writeStartObject();
        if (hasKeys) {
          json.writeFieldName(keyName);
          Values.write(key, json);
        }
        json.writeFieldName(valueName);
        Values.write(value, json);
        json.writeEndObject();
        any = true;
      }

      @Override
      public void close() throws IOException {
        json.close();
        if (any) {
          out.print('\n');
        }
      }
    };
  }

  /// By RFC 4180, but with line feeds: a head, then a line for each element. A record's components
  /// are columns; what is nested in them is JSON.
  ///
  /// @param keys `null` if there are none
  static RowWriter csv(PrintWriter out, Values keys, Values values) {
    List<String> head = new ArrayList<>();
    if (keys != null) {
      head.addAll(columns("key", keys));
    }
    head.addAll(columns(keys != null ? "value" : "element", values));
    line(out, head);
    return new RowWriter() {
      @Override
      void write(Object key, Object value) {
        List<Object> fields = new ArrayList<>();
        if (keys != null) {
          addFields(keys, key, fields);
        }
        addFields(values, value, fields);
        line(out, fields.stream().map(RowWriter::text).toList());
      }

      @Override
      public void close() {
        // Every line is complete.
      }
    };
  }

  private static List<String> columns(String name, Values values) {
    return values.components().isEmpty()
        ? List.of(name)
        : values.components().stream().map(component -> name + "." + component).toList();
  }

  private static void addFields(Values of, Object value, List<Object> fields) {
    if (of.components().isEmpty()) {
      fields.add(value);
    } else {
      fields.addAll(((Map<?, ?>) value).values());
    }
  }

  private static void line(PrintWriter out, List<String> fields) {
    for (int i = 0; i < fields.size(); i++) {
      out.print(i == 0 ? "" : ",");
      out.print(quoted(fields.get(i)));
    }
    out.print('\n');
  }

  private static String text(Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof String text) {
      return text;
    }
    String written = Values.json(value);
    boolean isText = written.startsWith("\"");
    return isText ? written.substring(1, written.length() - 1) : written;
  }

  private static String quoted(String field) {
    boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
