package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.section.commit.UncommittedReleases;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UncommittedReleasesTest {
  /// Who is exposed is found, from the time that he says so until he says no more; and in the end
  /// nobody is.
  @Test
  void threadsThatAreExposedAreKnown() throws Exception {
    UncommittedReleases.coverTheDead(); // of tests before
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
    assertThat(UncommittedReleases.isEmpty()).isTrue();
  }

  private static void comeAndGo(int rounds) {
    ThreadSections own = ThreadSections.current();
    for (int i = 0; i < rounds; i++) {
      UncommittedReleases.expose(own);
      assertThat(UncommittedReleases.isEmpty()).isFalse();
      assertThat(UncommittedReleases.exposed(Thread.currentThread())).isSameAs(own);
      UncommittedReleases.coverTheDead();
      UncommittedReleases.cover(own);
      assertThat(UncommittedReleases.exposed(Thread.currentThread())).isNull();
    }
  }

  /// One thread does nothing but look at all who are exposed, which takes long enough that another
  /// one, which comes and goes, does so in the middle of a look unless it is kept from that.
  @Test
  void nobodyComesOrGoesInTheMiddleOfALook() throws Exception {
    int others = 40; // fewer than are a crowd
    int rounds = 20_000;
    CountDownLatch come = new CountDownLatch(others);
    CountDownLatch done = new CountDownLatch(1);
    AtomicInteger looks = new AtomicInteger();
    List<Thread> exposed = new ArrayList<>();
    for (int i = 0; i < others; i++) {
      exposed.add(Thread.startVirtualThread(() -> beExposed(come, done)));
    }
    FutureTask<Void> looker = new FutureTask<>(() -> look(done, looks), null);
    ThreadSections own = ThreadSections.current();
    try {
      come.await();
      Thread.ofPlatform().daemon().start(looker);
      for (int i = 0; (i < rounds || looks.get() < rounds) && !looker.isDone(); i++) {
        UncommittedReleases.expose(own);
        UncommittedReleases.cover(own);
      }
    } finally {
      done.countDown();
    }
    looker.get();
    for (Thread thread : exposed) {
      thread.join();
    }
  }

  private static void beExposed(CountDownLatch come, CountDownLatch done) {
    ThreadSections own = ThreadSections.current();
    UncommittedReleases.expose(own);
    come.countDown();
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      UncommittedReleases.cover(own);
    }
  }

  private static void look(CountDownLatch done, AtomicInteger looks) {
    while (done.getCount() > 0) {
      UncommittedReleases.coverTheDead();
      assertThat(UncommittedReleases.exposed(Thread.currentThread())).isNull();
      looks.incrementAndGet();
    }
  }
}
