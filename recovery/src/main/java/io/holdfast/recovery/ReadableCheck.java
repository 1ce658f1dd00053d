package io.holdfast.recovery;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.collections.kind.KeyCodecs;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import io.holdfast.verification.Fault;
import io.holdfast.verification.Fault.Severity;
import java.util.ArrayList;
import java.util.List;

/// Has the program's classes read every element of a sound region: what they can't read is no fault
/// of the file, and yet stops the program (READABLE-1).
///
/// For one check.
final class ReadableCheck {
  /// So many of a collection are reported one by one.
  private static final int TOLD_MAX = 10;

  private final KeyCodecs codecs;
  private final List<Fault> faults = new ArrayList<>();
  private long found;

  /// @param loader of the program's classes
  ReadableCheck(ClassLoader loader) {
    this.codecs = new KeyCodecs(loader);
  }

  /// Reads all elements of all collections whose codecs are at hand.
  void run(Region region) {
    for (Root root : region.roots().all()) {
      RootReader reader = RootReader.of(region, root.name());
      if (reader.isKnown()) {
        run(root, reader);
      }
    }
  }

  private void run(Root root, RootReader reader) {
    Codec<?> keys = reader.hasKeys() ? codecs.codec(reader.keyCodec()) : null;
    Codec<?> values = codecs.codec(reader.valueCodec());
    long[] count = new long[2];
    reader.forEach(
        elements -> {
          for (RootReader.Element element : elements) {
            count[0]++;
            String refusal = refusal(keys, element.key(), "key");
            refusal = refusal == null ? refusal(values, element.value(), "value") : refusal;
            if (refusal != null && count[1]++ < TOLD_MAX) {
              add(root, "element %d: %s".formatted(count[0], refusal));
            }
          }
          return true;
        });
    found += count[1];
    if (count[1] > TOLD_MAX) {
      add(root, "%d elements of %d, with those above".formatted(count[1], count[0]));
    }
  }

  private void add(Root root, String what) {
    faults.add(
        new Fault(
            Severity.UNREADABLE,
            "%s (%s)".formatted(root.name(), root.kind()),
            root.firstBlock(),
            what + ". Mend its class or codec, or have removeUnreadable move it out"));
  }

  /// @param codec `null` if it is not at hand
  /// @return why it can't read the bytes; `null` if it can
  private static String refusal(Codec<?> codec, byte[] bytes, String what) {
    if (codec == null) {
      return null;
    }
    EncodedInput input = new EncodedInput();
    input.reset(bytes, 0, bytes.length);
    try {
      codec.decode(input);
      input.expectEnd();
      return null;
    } catch (RuntimeException | LinkageError e) { // of the program's class, whatever it is
      return "a %s of %d bytes can't be decoded: %s".formatted(what, bytes.length, e.getMessage());
    }
  }

  List<Fault> faults() {
    return faults;
  }

  /// How many elements can't be read.
  long found() {
    return found;
  }
}
