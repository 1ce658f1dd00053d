package io.holdfast.core.section.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Told;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SectionWatchTest {
  /// What fails at the first looks.
  private enum Failure {
    MEMORY {
      @Override
      void occur() {
        blackhole = new long[Integer.MAX_VALUE]; // more than a VM allows
      }
    },
    ACCESS {
      @Override
      void occur() {
        throw new InternalError("a fault occurred in an unsafe memory access operation");
      }
    },
    MISTAKE {
      @Override
      void occur() {
        throw new IllegalStateException("a mistake of ours");
      }
    };

    static volatile long[] blackhole;

    abstract void occur();
  }

  /// LOOK-1: it fails in each way, is reported once, goes on, and notices the section that is open.
  @Test
  void look1AWatchSurvivesAFailedLook() throws Exception {
    Object lock = new Object();
    try (Told log = new Told();
        Region region = Words.open(new RecordingMemory())) {
      BlockingQueue<String> told = log.messages();
      Words.create(region, 1);
      for (Failure failure : Failure.values()) {
        CountDownLatch failed = new CountDownLatch(3);
        CountDownLatch looked = new CountDownLatch(1);
        SectionHooks.acquired(lock);
        Words.write(region, 0, 1);
        Section section = region.sections().current();
        told.clear();
        Thread watch =
            Thread.ofPlatform()
                .daemon()
                .start(
                    new SectionWatch(
                        region.memory(),
                        Duration.ofMillis(20),
                        true,
                        () -> List.of(section),
                        () -> {
                          if (failed.getCount() > 0) {
                            failed.countDown();
                            failure.occur();
                          }
                          looked.countDown();
                        }));
        looked.await();
        assertThat(told.take())
            .startsWith("recorded: ")
            .contains("a look at the length of the file");
        assertThat(told.take()).contains("a section of Thread[");
        watch.interrupt();
        watch.join();
        assertThat(told).isEmpty();
        SectionHooks.releasing(lock);
      }
    }
  }
}
