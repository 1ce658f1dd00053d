package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import org.junit.jupiter.api.Test;

class LockKeysTest {
  /// Many, since the identity hashes decide whether two of them meet in a bin of the map.
  @Test
  void viewsHaveTheKeyOfTheirLock() {
    List<StampedLock> locks = new ArrayList<>(); // so that nothing is forgotten meanwhile
    for (int i = 0; i < 10_000; i++) {
      StampedLock lock = new StampedLock();
      locks.add(lock);
      Lock view = lock.asReadLock();
      LockKeys.view(lock, view);
      assertThat(LockKeys.ofLock(view)).isSameAs(LockKeys.ofWhole(lock));
    }
  }
}
