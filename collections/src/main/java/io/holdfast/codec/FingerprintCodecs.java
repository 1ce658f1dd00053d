package io.holdfast.codec;

import java.util.ArrayList;
import java.util.List;

/// Codecs by their fingerprints and the classes that these name: for tools that need a program's
/// values themselves, and not only their form ([FormCodec]).
@SuppressWarnings("exports") // as FormCodec, for Holdfast's own modules
public final class FingerprintCodecs {
  private FingerprintCodecs() {}

  /// The codec of a fingerprint.
  ///
  /// @param loader of the program's classes; `null` for the JDK's alone
  /// @param required what a class that the fingerprint begins with must be
  /// @return `null` if a class is not at hand, or another one than it was; also for arrays of
  ///   objects and for a caller's codec
  public static Codec<?> of(String fingerprint, ClassLoader loader, Class<?> required) {
    return of(Schema.of(fingerprint), loader, required);
  }

  private static Codec<?> of(Schema schema, ClassLoader loader, Class<?> required) {
    return switch (schema) {
      case Schema.Leaf leaf -> BuiltInCodecs.leaf(leaf.name());
      case Schema.Named named -> named(named, loader, required);
      case Schema.Container container -> container(container, loader);
      case Schema.Text _, Schema.Enclosing _ -> null;
    };
  }

  private static Codec<?> named(Schema.Named named, ClassLoader loader, Class<?> required) {
    if (loader == null) {
      return null;
    }
    try {
      Class<?> type = Class.forName(named.className(), false, loader);
      return required.isAssignableFrom(type) ? Codec.of(type).adaptedTo(named.toString()) : null;
    } catch (ClassNotFoundException | LinkageError | IllegalArgumentException e) {
      return null; // what is at hand is another class, or none
    }
  }

  private static Codec<?> container(Schema.Container container, ClassLoader loader) {
    List<Codec<?>> arguments = new ArrayList<>();
    for (Schema argument : container.arguments()) {
      Codec<?> codec = of(argument, loader, Object.class);
      if (codec == null) {
        return null;
      }
      arguments.add(codec);
    }
    return BuiltInCodecs.container(container.name(), arguments);
  }
}
