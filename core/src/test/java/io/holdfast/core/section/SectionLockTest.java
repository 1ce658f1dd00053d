package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is locked for changes that a section holds back.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SectionLockTest {
  private final Region region = Words.open(new RecordingMemory());
  private final SectionLock lock = new SectionLock(region.sections(), this);

  private boolean isLockedToOthers() throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      return other
          .submit(
              () -> {
                boolean taken = lock.waiting().tryLock();
                if (taken) {
                  lock.waiting().unlock();
                }
                return !taken;
              })
          .get();
    }
  }

  @Test
  void whatIsHeldIsLocked() throws Exception {
    lock.hold();
    assertThat(lock.waiting().isHeldByCurrentThread()).isTrue();
    assertThat(isLockedToOthers()).isTrue();
    assertThat(SectionHooks.inSection()).isFalse(); // it is no level of one
    lock.letGo();
    assertThat(lock.waiting().isLocked()).isFalse();
    assertThat(isLockedToOthers()).isFalse();
    region.close();
  }

  @Test
  void whatIsHeldTwiceIsLockedUntilTheLastIsGivenUp() throws Exception {
    lock.hold();
    lock.hold();
    lock.letGo();
    assertThat(isLockedToOthers()).isTrue();
    lock.letGo();
    assertThat(isLockedToOthers()).isFalse();
    region.close();
  }
}
