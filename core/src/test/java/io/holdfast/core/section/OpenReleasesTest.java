package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class OpenReleasesTest {
  /// Who is exposed is found, from the time that he says so until he says no more; and in the end
  /// nobody is.
  @Test
  void threadsThatAreExposedAreKnown() throws Exception {
    int threads = 4;
    int rounds = 20_000;
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      tasks.add(new FutureTask<>(() -> comeAndGo(rounds), null));
    }
    tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
    for (FutureTask<Void> task : tasks) {
      task.get();
    }
    assertThat(OpenReleases.isEmpty()).isTrue();
  }

  private static void comeAndGo(int rounds) {
    ThreadSections own = ThreadSections.current();
    for (int i = 0; i < rounds; i++) {
      OpenReleases.expose(own);
      assertThat(OpenReleases.isEmpty()).isFalse();
      assertThat(OpenReleases.exposed(Thread.currentThread())).isSameAs(own);
      OpenReleases.coverTheDead();
      OpenReleases.cover(own);
      assertThat(OpenReleases.exposed(Thread.currentThread())).isNull();
    }
  }
}
