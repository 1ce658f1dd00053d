package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LineSetTest {
  private static List<Long> content(LineSet lines) {
    List<Long> content = new ArrayList<>();
    lines.forEach(content::add);
    return content;
  }

  /// Rounds of all sizes, so that the table grows, shrinks, and is used again.
  @Test
  void isASetInTheOrderOfItsAdditions() {
    Random random = new Random(1);
    LineSet lines = new LineSet();
    for (int round = 0; round < 200; round++) {
      Set<Long> model = new LinkedHashSet<>();
      int additions = random.nextInt(round % 20 == 0 ? 10_000 : 40);
      for (int i = 0; i < additions; i++) {
        long line = random.nextInt(3_000) * (round % 3 == 0 ? 8_192L : 64L);
        lines.add(line);
        model.add(line);
      }
      assertThat(content(lines)).containsExactlyElementsOf(model);
      lines.clear();
      assertThat(content(lines)).isEmpty();
    }
  }
}
