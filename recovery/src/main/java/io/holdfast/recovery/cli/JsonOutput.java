package io.holdfast.recovery.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.holdfast.recovery.cli.Facts.Bytes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/// One JSON object, in a line: sizes as numbers of bytes, times and durations by ISO 8601, offsets
/// as hexadecimal texts.
final class JsonOutput implements Output {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  @Override
  public void print(Facts facts, PrintWriter out) {
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      write(facts, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println();
  }

  private static void write(Object value, JsonGenerator json) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Facts facts -> {
        json.writeStartObject();
        for (Map.Entry<String, Object> each : facts.values().entrySet()) {
          json.writeFieldName(each.getKey());
          write(each.getValue(), json);
        }
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        for (Object each : list) {
          write(each, json);
        }
        json.writeEndArray();
      }
      case Bytes(long count) -> json.writeNumber(count);
      case Boolean truth -> json.writeBoolean(truth);
      case Double number -> json.writeNumber(number);
      case Number number -> json.writeNumber(number.longValue());
      default -> json.writeString(value.toString());
    }
  }
}
