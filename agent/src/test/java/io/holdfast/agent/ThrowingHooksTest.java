package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// WEAVE-3: a hook that throws all the same never loops, and never leaves a monitor locked.
@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
class ThrowingHooksTest {
  private final Object a = "lock a";
  private final Object b = "lock b";
  private final Runnable body = () -> HookRecorder.add("body");
  private final WovenMonitors woven = new WovenMonitors(WovenLoader.recording());

  @BeforeEach
  void forget() {
    HookRecorder.reset();
  }

  private static void throwAt(String hook) {
    HookRecorder.throwAt(hook::equals);
  }

  private void assertThrown(String method, Object... arguments) {
    assertThatThrownBy(() -> woven.call(method, arguments))
        .isInstanceOf(StackOverflowError.class)
        .hasMessageStartingWith("thrown by the hook");
    assertThat(Thread.holdsLock(a)).isFalse();
    assertThat(Thread.holdsLock(b)).isFalse();
    assertThat(Thread.holdsLock(woven.instance)).isFalse();
  }

  @Test
  void releasingABlock() {
    throwAt("releasing lock a");
    assertThrown("block", a, body);
    assertThat(HookRecorder.events())
        .containsExactly("acquired lock a", "body", "releasing lock a", "releasing lock a");
  }

  @Test
  void releasingOnceOnly() {
    HookRecorder.throwAt(
        event -> event.startsWith("releasing") && HookRecorder.events().size() == 3);
    assertThrown("block", a, body);
    assertThat(HookRecorder.events())
        .containsExactly("acquired lock a", "body", "releasing lock a", "releasing lock a");
  }

  @Test
  void releasingAnInnerBlockLeavesTheOuterOneWell() {
    throwAt("releasing lock b");
    assertThrown("nested", a, b, body);
    assertThat(HookRecorder.events())
        .containsExactly(
            "acquired lock a",
            "acquired lock b",
            "body",
            "releasing lock b",
            "releasing lock b",
            "releasing lock a");
  }

  @Test
  void releasingWhatIsHeldTwice() {
    throwAt("releasing lock a");
    assertThrown("reentered", a, body);
  }

  @Test
  void releasingAFinally() {
    throwAt("releasing lock a");
    assertThrown("withFinally", a, body, body);
  }

  /// WEAVE-6, on the way of a return and on that of an exception.
  @ParameterizedTest
  @ValueSource(
      strings = {"block", "reentered", "nested", "withFinally", "method", "methodWithBlock"})
  void released(String shape) {
    Runnable failing =
        () -> {
          throw new IllegalStateException("failed");
        };
    for (Runnable each : List.of(body, failing)) {
      HookRecorder.reset();
      throwAt("released");
      switch (shape) {
        case "nested" -> assertThrown(shape, a, b, each);
        case "method" -> assertThrown(shape, each);
        case "withFinally" -> assertThrown(shape, a, each, body);
        default -> assertThrown(shape, a, each);
      }
      List<String> events = HookRecorder.events();
      assertThat(events.stream().filter(event -> event.startsWith("releasing")))
          .as("each hold once: %s", events)
          .hasSameSizeAs(events.stream().filter(event -> event.startsWith("acquired")).toList());
    }
  }

  @Test
  void acquiringABlock() {
    throwAt("acquired lock a");
    assertThrown("block", a, body);
    assertThat(HookRecorder.events()).containsExactly("acquired lock a");
  }

  @Test
  void acquiringAnInnerBlock() {
    throwAt("acquired lock b");
    assertThrown("nested", a, b, body);
    assertThat(HookRecorder.events())
        .containsExactly("acquired lock a", "acquired lock b", "releasing lock a");
  }

  @Test
  void acquiringAMethod() {
    throwAt("acquired monitors");
    assertThrown("method", body);
    assertThat(HookRecorder.events()).containsExactly("acquired monitors");
  }

  @Test
  void releasingAMethod() {
    throwAt("releasing monitors");
    assertThrown("method", body);
    assertThat(HookRecorder.events())
        .containsExactly("acquired monitors", "body", "releasing monitors", "releasing monitors");
  }

  @Test
  void realStackOverflows() throws Throwable {
    WovenMonitors real = new WovenMonitors(WovenLoader.real());
    Object lock = new Object();
    for (int i = 0; i < 50; i++) {
      assertThatThrownBy(() -> real.call("overflow", lock)).isInstanceOf(StackOverflowError.class);
      assertThatThrownBy(() -> real.call("overflowMethod")).isInstanceOf(StackOverflowError.class);
    }
    assertThat(Thread.holdsLock(lock)).isFalse();
    assertThat(Thread.holdsLock(real.instance)).isFalse();
    Thread other = Thread.ofPlatform().start(() -> take(lock));
    assertThat(other.join(Duration.ofSeconds(30))).isTrue();
  }

  private static void take(Object lock) {
    synchronized (lock) {
      HookRecorder.add("taken");
    }
  }
}
