package io.holdfast.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What woven calls and accesses look like, one method for each family of instructions. The golden
/// file shows them; what differs is read there before it is replaced by what the test wrote.
class GoldenListingsTest {
  private static final String GOLDEN = "woven-listings.txt";

  /// The class, then its methods.
  private static final List<List<String>> SHOWN =
      List.of(
          List.of("Locks", "unlockOnly", "reader", "tried", "waitUnowned", "references"),
          List.of("OwnLocks$Counting", "lock", "tryEnter", "leave"),
          List.of(
              "HandOvers",
              "setNumber",
              "getNumber",
              "setLarge",
              "getLarge",
              "setShared",
              "getShared",
              "getPlain",
              "increment",
              "lazily",
              "updated",
              "getAcquire",
              "compareAndSetNumber",
              "setSharedByHandle",
              "opaque",
              "take",
              "byReference",
              "holdfast$0$incrementAndGet",
              "start"),
          List.of("Heir$Inner", "<init>"));

  @Test
  void theListings() throws IOException {
    StringBuilder text = new StringBuilder();
    for (List<String> shown : SHOWN) {
      String name = "com.acme." + shown.getFirst();
      byte[] woven =
          Weaver.weave(WovenLoader.read(name), getClass().getClassLoader()).bytes().orElseThrow();
      for (String method : shown.subList(1, shown.size())) {
        text.append(shown.getFirst()).append('.').append(method).append('\n');
        text.append(Listing.of(woven, method).replace("\r", "")).append('\n');
      }
    }
    Path found = Path.of("target", GOLDEN);
    Files.writeString(found, text);
    try (InputStream golden = getClass().getResourceAsStream(GOLDEN)) {
      assertThat(text.toString())
          .as("golden file %s; found: %s", GOLDEN, found)
          .isEqualTo(new String(golden.readAllBytes(), UTF_8));
    }
  }
}
