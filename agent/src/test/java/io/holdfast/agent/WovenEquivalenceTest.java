package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.commit.UncommittedReleases;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Woven programs do to the media what the same sections do that are written by hand: at each
/// point, every byte is the same.
class WovenEquivalenceTest {
  private final WovenLoader loader = WovenLoader.real();
  private final Woven locks = new Woven(loader, "com.acme.Locks");
  private final Woven monitors = new Woven(loader, "com.acme.Monitors", "monitors");
  private final Object a = new ReentrantLock();
  private final Object b = new ReentrantLock();
  private final RecordingMemory created = new RecordingMemory();

  WovenEquivalenceTest() {
    try (Region region = Words.open(created)) {
      Words.create(region, 16);
    }
  }

  /// A log has the thread's clock in it, which goes up with every lock while another thread of this
  /// process has something open: a pool's thread of another test does until it has died.
  @BeforeEach
  void awaitOthers() throws InterruptedException {
    for (int i = 0; i < 900 && !UncommittedReleases.isEmpty(); i++) {
      Thread.sleep(100);
      UncommittedReleases.coverTheDead();
    }
    assumeTrue(UncommittedReleases.isEmpty(), "SKIPPED: another thread has something open");
  }

  /// The images whenever the body ran, and at the end.
  private List<Integer> images(Consumer<Runnable> program) {
    RecordingMemory memory = created.copy();
    List<Integer> images = new ArrayList<>();
    try (Region region = Words.open(memory)) {
      Runnable body =
          () -> {
            Words.write(region, images.size(), images.size() + 1L);
            Words.write(region, 15, images.size());
            images.add(Arrays.hashCode(memory.toBytes()));
          };
      program.accept(body);
      images.add(Arrays.hashCode(memory.toBytes()));
    }
    return images;
  }

  private void assertSame(Consumer<Runnable> woven, Consumer<Runnable> byHand) {
    assertThat(images(woven)).hasSizeGreaterThan(1).isEqualTo(images(byHand));
  }

  private static void section(Object lock, Runnable body) {
    SectionHooks.acquired(lock);
    body.run();
    SectionHooks.releasing(lock);
  }

  @Test
  void blocks() {
    assertSame(body -> locks.call("block", a, body), body -> section(a, body));
    assertSame(body -> monitors.call("block", a, body), body -> section(a, body));
    assertSame(body -> monitors.call("method", body), body -> section(monitors.instance(), body));
  }

  @Test
  void nestedLocks() {
    Consumer<Runnable> byHand =
        body -> {
          SectionHooks.acquired(a);
          section(b, body);
          body.run();
          SectionHooks.releasing(a);
        };
    assertSame(body -> locks.call("nested", a, b, body), byHand);
    assertSame(body -> monitors.call("nested", a, b, body), byHand);
  }

  @Test
  void handOverHand() {
    assertSame(
        body -> locks.call("handOverHand", a, b, body),
        body -> {
          SectionHooks.acquired(a);
          body.run();
          SectionHooks.acquired(b);
          SectionHooks.releasing(a);
          body.run();
          SectionHooks.releasing(b);
        });
  }

  @Test
  void twoKindsOfLocks() {
    Consumer<Runnable> twice =
        body -> {
          section(a, body);
          section(a, body);
        };
    assertSame(body -> locks.call("readAndWrite", new ReentrantReadWriteLock(), body), twice);
    assertSame(body -> locks.call("stampedRead", new StampedLock(), body), twice);
    assertSame(body -> locks.call("references", a, body), twice);
  }

  /// A wait alone, by who holds the lock several times.
  @Test
  void waits() {
    assertSame(
        body -> locks.call("pause", body),
        body -> {
          SectionHooks.acquired(a);
          body.run();
          SectionHooks.enter();
          body.run();
          SectionHooks.awaiting(a, 2);
          SectionHooks.awaited(a, 2);
          body.run();
          SectionHooks.exit();
          body.run();
          SectionHooks.releasing(a);
        });
    assertSame(
        body -> locks.call("awaitAll", b, body, 3),
        body -> {
          section(a, body);
          section(a, body);
          section(a, body);
        });
  }

  @Test
  void aNestedWait() {
    assertSame(
        body -> locks.call("pauseUnder", a, b, body),
        body -> {
          SectionHooks.acquired(a);
          SectionHooks.acquired(b);
          body.run();
          SectionHooks.awaiting(b, 1);
          SectionHooks.awaited(b, 1);
          body.run();
          SectionHooks.releasing(b);
          SectionHooks.releasing(a);
        });
  }
}
