package io.holdfast.recovery.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.FormCodec;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// Reads a root's keys or values and writes them as JSON: by their fingerprint, by a codec of the
/// caller's where one is needed and at hand, or else as bytes.
///
/// | value | JSON |
/// |---|---|
/// | numbers | a number; NaN and infinities as texts |
/// | texts, times, UUIDs, enums | a text |
/// | records | an object; a sealed interface's with its name around |
/// | lists, sets, arrays | an array; of bytes a hexadecimal text |
/// | maps | an object if keys are texts, else an array of pairs |
/// | what can't be read | `{"bytes": "…"}`, hexadecimal |
///
/// Not thread-safe.
final class Values {
  private static final HexFormat HEX = HexFormat.of();

  /// Bytes that no codec is at hand for.
  record Unread(byte[] bytes) {}

  private final String fingerprint;
  private final Codec<?> codec;
  private final List<String> components;
  private final EncodedInput input = new EncodedInput();

  private Values(String fingerprint, Codec<?> codec) {
    this.fingerprint = fingerprint;
    this.codec = codec;
    this.components = codec == null ? List.of() : FormCodec.components(fingerprint);
  }

  /// @param fingerprint what the values are encoded by
  /// @param classes where codecs of the caller's are
  /// @param raw whether all values are to be left as bytes
  static Values of(String fingerprint, ClassLoader classes, boolean raw) {
    Codec<?> codec = null;
    if (!raw) {
      try {
        codec = FormCodec.of(fingerprint, text -> callers(text, classes));
      } catch (IllegalArgumentException e) {
        // A caller's codec that is not at hand: the values are shown as bytes, and that is said.
        codec = null;
      }
    }
    return new Values(fingerprint, codec);
  }

  @SuppressWarnings("rawtypes") // the service's class
  private static Codec<?> callers(String fingerprint, ClassLoader classes) {
    try {
      for (Codec each : ServiceLoader.load(Codec.class, classes)) {
        if (each.fingerprint().equals(fingerprint)) {
          return each;
        }
      }
    } catch (ServiceConfigurationError e) {
      throw new Refusal(
          ExitCode.USAGE,
          "--class-path: a codec named in META-INF/services can't be made: " + e.getMessage(),
          "holdfast dump --help",
          e);
    }
    return null;
  }

  /// Whether a codec is at hand.
  boolean isReadable() {
    return codec != null;
  }

  /// What the values are encoded by.
  String fingerprint() {
    return fingerprint;
  }

  /// The components of the records that all values are; none if they are none, or are not read.
  List<String> components() {
    return components;
  }

  /// @return {@link Unread} if no codec is at hand
  /// @throws CodecException if the bytes are not what the codec writes
  Object read(byte[] bytes) {
    if (codec == null) {
      return new Unread(bytes);
    }
    input.reset(bytes, 0, bytes.length);
    Object value = codec.decode(input);
    input.expectEnd();
    return value;
  }

  /// Writes a value that was read.
  static void write(Object value, JsonGenerator json) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case String text -> json.writeString(text);
      case Long number -> json.writeNumber(number);
      case Integer number -> json.writeNumber(number);
      case Short number -> json.writeNumber(number);
      case Byte number -> json.writeNumber(number);
      case Boolean truth -> json.writeBoolean(truth);
      case Double number -> writeNumber(number, json);
      case Float number -> {
        if (Float.isFinite(number)) {
          json.writeNumber(number);
        } else {
          json.writeString(number.toString());
        }
      }
      case BigInteger number -> json.writeNumber(number);
      case BigDecimal number -> json.writeNumber(number);
      case Map<?, ?> map -> writeMap(map, json);
      case List<?> list -> {
        json.writeStartArray();
        for (Object each : list) {
          write(each, json);
        }
        json.writeEndArray();
      }
      case byte[] bytes -> json.writeString(HEX.formatHex(bytes));
      case Unread(byte[] bytes) -> {
        json.writeStartObject();
        json.writeStringField("bytes", HEX.formatHex(bytes));
        json.writeEndObject();
      }
      case OptionalInt optional -> write(optional.isPresent() ? optional.getAsInt() : null, json);
      case OptionalLong optional -> write(optional.isPresent() ? optional.getAsLong() : null, json);
      case OptionalDouble optional ->
          write(optional.isPresent() ? optional.getAsDouble() : null, json);
      default -> {
        if (value.getClass().isArray()) {
          json.writeStartArray();
          for (int i = 0; i < Array.getLength(value); i++) {
            write(Array.get(value, i), json);
          }
          json.writeEndArray();
        } else {
          json.writeString(value.toString());
        }
      }
    }
  }

  /// A value that was read, as a text.
  static String json(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      write(value, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a writer to memory throws none
    }
    return text.toString();
  }

  private static void writeNumber(double number, JsonGenerator json) throws IOException {
    if (Double.isFinite(number)) {
      json.writeNumber(number);
    } else {
      json.writeString(Double.toString(number));
    }
  }

  private static void writeMap(Map<?, ?> map, JsonGenerator json) throws IOException {
    boolean texts = map.keySet().stream().allMatch(String.class::isInstance);
    if (texts) {
      json.writeStartObject();
      for (Map.Entry<?, ?> each : map.entrySet()) {
        json.writeFieldName((String) each.getKey());
        write(each.getValue(), json);
      }
      json.writeEndObject();
      return;
    }
    json.writeStartArray();
    for (Map.Entry<?, ?> each : map.entrySet()) {
      json.writeStartArray();
      write(each.getKey(), json);
      write(each.getValue(), json);
      json.writeEndArray();
    }
    json.writeEndArray();
  }
}
