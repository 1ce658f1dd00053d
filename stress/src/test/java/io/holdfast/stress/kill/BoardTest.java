package io.holdfast.stress.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoardTest {
  @TempDir Path directory;

  @Test
  void tellsWhatEachThreadIsAtAndForgetsIt() {
    Path region = directory.resolve("s.hf");
    Board board = Board.make(region, 3);
    board.enter(0, Activity.COMMITTING);
    board.enter(1, Activity.GROWING);
    board.enter(2, Activity.TRIMMING);
    board.leave(1);

    assertThat(Board.take(region))
        .containsExactlyInAnyOrder(Activity.COMMITTING, Activity.TRIMMING);
    assertThat(Board.take(region)).isEmpty();
  }
}
