package io.holdfast.collections.kind;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.FingerprintCodecs;
import io.holdfast.codec.FormCodec;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.NaturalOrder;
import java.util.Comparator;

/// The orders that a sorted map's fingerprint alone leads to: of keys of the JDK's classes and,
/// with a class loader, of the program's records, enums and sealed interfaces; the natural order,
/// or that of a comparator whose class the order is named by.
@SuppressWarnings("exports") // what collections are on media is for Holdfast's own modules
public final class KeyCodecs {
  private static final String MAP = "Map<";

  private final ClassLoader loader;

  /// @param loader of the program's classes; `null` for the JDK's alone
  public KeyCodecs(ClassLoader loader) {
    this.loader = loader;
  }

  /// In which order a tree of a fingerprint has its keys: {@link KeyOrder#UNKNOWN} if a class that
  /// is needed is not at hand.
  public KeyOrder order(String fingerprint) {
    if (!fingerprint.startsWith(MAP)) {
      return KeyOrder.UNKNOWN;
    }
    String key = firstArgument(fingerprint);
    String name = SortedFingerprint.of(fingerprint).order();
    if (!name.isEmpty()) {
      Comparator<Object> comparator = comparator(name);
      Codec<?> codec = comparator == null ? null : FingerprintCodecs.of(key, loader, Object.class);
      return codec == null
          ? KeyOrder.UNKNOWN
          : KeyOrder.decoded(encoded -> decoded(codec, encoded), comparator, false);
    }
    Codec<?> codec = FingerprintCodecs.of(key, loader, Comparable.class);
    return codec == null
        ? KeyOrder.UNKNOWN
        : NaturalOrder.of(key, encoded -> comparable(decoded(codec, encoded)));
  }

  /// An instance of the class of a name; `null` if it is not at hand, or is no comparator that can
  /// be made. No other class is as much as initialized: the name comes out of a file.
  @SuppressWarnings("unchecked") // its map's keys are what it compares
  private Comparator<Object> comparator(String name) {
    if (loader == null) {
      return null;
    }
    try {
      Class<?> type = Class.forName(name, false, loader);
      return Comparator.class.isAssignableFrom(type)
          ? (Comparator<Object>) type.getConstructor().newInstance()
          : null;
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /// The codec of a fingerprint: that of its class, or one that reads the form alone.
  ///
  /// @return `null` if it is of a codec of the program's
  public Codec<?> codec(String fingerprint) {
    Codec<?> found = FingerprintCodecs.of(fingerprint, loader, Object.class);
    if (found != null) {
      return found;
    }
    try {
      return FormCodec.of(fingerprint, _ -> null);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /// What stands between `Map<` and the comma that is in no brackets.
  private static String firstArgument(String fingerprint) {
    int depth = 0;
    boolean quoted = false;
    for (int i = MAP.length(); i < fingerprint.length(); i++) {
      char at = fingerprint.charAt(i);
      if (at == '\\') {
        i++;
      } else if (at == '"') {
        quoted = !quoted;
      } else if (!quoted && (at == '<' || at == '(')) {
        depth++;
      } else if (!quoted && (at == '>' || at == ')')) {
        depth--;
      } else if (!quoted && depth == 0 && at == ',') {
        return fingerprint.substring(MAP.length(), i);
      }
    }
    return "";
  }

  private static Object decoded(Codec<?> codec, Encoded encoded) {
    EncodedInput input = new EncodedInput();
    input.reset(encoded.bytes(), 0, encoded.length());
    Object value = codec.decode(input);
    input.expectEnd();
    if (value == null) {
      throw new CodecException("The codec %s has decoded null".formatted(codec.fingerprint()));
    }
    return value;
  }

  @SuppressWarnings("unchecked") // a map in natural order has no other keys
  private static Comparable<Object> comparable(Object key) {
    return (Comparable<Object>) key;
  }
}
