package io.holdfast.core.heap;

import static io.holdfast.core.heap.RootBlocks.MAX_TEXT_BYTES;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The texts of roots as UTF-8, and their names.
///
/// **ROOT-6** What is stored of a text is all of it: one that UTF-8 can't hold, because half of a
/// surrogate pair is missing, is refused. Earlier versions stored a question mark in its place. So
/// two roots could come to have one name; all but the oldest of these are shown by other names, and
/// can be opened, renamed and deleted by them.
final class RootTexts {
  private RootTexts() {}

  /// @param file for messages
  /// @param what whose text it is
  /// @throws IllegalArgumentException if it is too long, or can't be held
  static byte[] utf8(String file, String what, String text) {
    int unpaired = unpairedSurrogate(text);
    if (unpaired >= 0) {
      throw new IllegalArgumentException(
          "%s: a root's %s has half of a surrogate pair, which UTF-8 can't hold: found=\\u%04X, index=%d. Use another one; what an earlier version stored has a question mark there"
              .formatted(file, what, (int) text.charAt(unpaired), unpaired));
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException(
          "%s: a root's %s is at most %d bytes long: length=%d"
              .formatted(file, what, MAX_TEXT_BYTES, bytes.length));
    }
    return bytes;
  }

  /// @return its index, -1 if there is none
  private static int unpairedSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (Character.charCount(text.codePointAt(i)) == 1) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// Names for roots, all different: each its own, but for those that have one with a question mark
  /// and are not the first to have it (ROOT-6). Test: DoubledNamesTest.
  ///
  /// @param stored their names as stored, the oldest first
  static List<String> shown(String file, List<String> stored) {
    Set<String> taken = new HashSet<>(stored);
    Set<String> seen = new HashSet<>();
    List<String> shown = new ArrayList<>();
    for (String name : stored) {
      shown.add(seen.add(name) || !name.contains("?") ? name : another(file, name, taken));
    }
    return shown;
  }

  private static String another(String file, String name, Set<String> taken) {
    String other = name;
    for (int i = 2; !taken.add(other); i++) {
      other = "%s (%s)".formatted(name, i); // the same in every locale
    }
    String shown = other;
    System.getLogger("io.holdfast")
        .log(
            Level.WARNING,
            () ->
                "%s: an earlier version stored two collections by the name \"%s\"; the younger one is shown as \"%s\". Rename it to keep that name"
                    .formatted(file, name, shown));
    return other;
  }
}
