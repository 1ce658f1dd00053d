package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class LiveRegionsTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 300_000;

  /// Regions that are opened and closed by several threads at once: none is missing in the list of
  /// those that are open, and none stays in it.
  @Test
  void openedAndClosedByManyThreads() throws Exception {
    List<Region> regions = new ArrayList<>();
    List<FutureTask<Void>> tasks = new ArrayList<>();
    try {
      for (int i = 0; i < THREADS; i++) {
        Region region = Words.open(new RecordingMemory());
        regions.add(region);
        tasks.add(new FutureTask<>(() -> comeAndGo(region.sections()), null));
      }
      tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
      for (FutureTask<Void> task : tasks) {
        task.get();
      }
    } finally {
      regions.forEach(Region::close);
    }
    for (Region region : regions) {
      assertThat(SectionRegion.live).doesNotContain(region.sections().region());
    }
  }

  private static void comeAndGo(Sections region) {
    for (int i = 0; i < ROUNDS; i++) {
      region.region().setLive(false);
      assertThat(SectionRegion.live).doesNotContain(region.region());
      region.region().setLive(true);
      assertThat(SectionRegion.live).contains(region.region());
    }
  }
}
