package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// WEAVE-1: acquired after the acquire, releasing before the release, once each, on every way out.
class WovenMonitorsTest {
  private final Object a = "lock a";
  private final Object b = "lock b";
  private final Runnable body = () -> HookRecorder.add("body");
  private final Runnable failing =
      () -> {
        HookRecorder.add("body");
        throw new IllegalStateException("failed");
      };
  private final WovenMonitors woven = new WovenMonitors(WovenLoader.recording());

  @BeforeEach
  void forget() {
    HookRecorder.reset();
  }

  /// WEAVE-1: released after each release.
  @AfterEach
  void eachReleaseWasTold() {
    assertThat(HookRecorder.releases())
        .isEqualTo(
            (int)
                HookRecorder.events().stream()
                    .filter(event -> event.startsWith("releasing"))
                    .count());
  }

  private static void assertEvents(String... events) {
    assertThat(HookRecorder.events()).containsExactly(events);
  }

  @Test
  void aBlock() throws Throwable {
    woven.call("block", a, body);
    assertEvents("acquired lock a", "body", "releasing lock a");
  }

  @Test
  void anExceptionThatLeavesABlock() {
    assertThatThrownBy(() -> woven.call("block", a, failing)).hasMessage("failed");
    assertEvents("acquired lock a", "body", "releasing lock a");
    assertThat(Thread.holdsLock(a)).isFalse();
  }

  @Test
  void aNullLock() {
    assertThatThrownBy(() -> woven.call("block", null, body))
        .isInstanceOf(NullPointerException.class);
    assertEvents();
  }

  @Test
  void nestedBlocks() throws Throwable {
    woven.call("nested", a, b, body);
    assertEvents(
        "acquired lock a",
        "acquired lock b",
        "body",
        "releasing lock b",
        "body",
        "releasing lock a");
  }

  @Test
  void anExceptionThatLeavesNestedBlocks() {
    assertThatThrownBy(() -> woven.call("nested", a, b, failing)).hasMessage("failed");
    assertEvents(
        "acquired lock a", "acquired lock b", "body", "releasing lock b", "releasing lock a");
  }

  @Test
  void aLockTakenTwice() throws Throwable {
    woven.call("reentered", a, body);
    assertEvents(
        "acquired lock a", "acquired lock a", "body", "releasing lock a", "releasing lock a");
  }

  @Test
  void aLoopWithBreakAndContinue() throws Throwable {
    assertThat(woven.call("loop", a, 3, body)).isEqualTo(2);
    assertEvents(
        "acquired lock a",
        "body",
        "releasing lock a",
        "acquired lock a",
        "releasing lock a",
        "acquired lock a",
        "body",
        "releasing lock a",
        "acquired lock a",
        "releasing lock a");
  }

  @Test
  void aSwitch() throws Throwable {
    assertThat(woven.call("switched", a, 1, body)).isEqualTo("one");
    assertThat(woven.call("switched", a, 2, body)).isEqualTo("two");
    assertThat(woven.call("switched", a, 3, body)).isEqualTo("other");
    assertEvents(
        "acquired lock a",
        "body",
        "releasing lock a",
        "acquired lock a",
        "releasing lock a",
        "acquired lock a",
        "body",
        "releasing lock a");
  }

  @Test
  void aFinallyInsideOfABlock() throws Throwable {
    Runnable last = () -> HookRecorder.add("finally");
    assertThat(woven.call("withFinally", a, body, last)).isEqualTo(1L);
    assertThatThrownBy(() -> woven.call("withFinally", a, failing, last)).hasMessage("failed");
    assertEvents(
        "acquired lock a",
        "body",
        "finally",
        "releasing lock a",
        "acquired lock a",
        "body",
        "finally",
        "releasing lock a");
  }

  @Test
  void aCatchInsideOfABlock() throws Throwable {
    Runnable handler = () -> HookRecorder.add("handler");
    assertThat(woven.call("caught", a, failing, handler)).isEqualTo("failed");
    assertEvents("acquired lock a", "body", "handler", "releasing lock a");
  }

  @Test
  void anExceptionInsideOfACatch() {
    assertThatThrownBy(() -> woven.call("caught", a, failing, failing)).hasMessage("failed");
    assertEvents("acquired lock a", "body", "body", "releasing lock a");
  }

  @Test
  void aCatchAroundABlock() throws Throwable {
    assertThat(woven.call("caughtOutside", a, failing)).isEqualTo("failed");
    assertThat(woven.call("caughtOutside", a, body)).isEqualTo("ran");
    assertEvents(
        "acquired lock a",
        "body",
        "releasing lock a",
        "acquired lock a",
        "body",
        "releasing lock a");
  }

  @Test
  void aBlockInALambda() throws Throwable {
    woven.call("inLambda", a, body);
    assertEvents("acquired lock a", "body", "releasing lock a");
  }

  @Test
  void aBlockInAConstructor() throws Exception {
    woven.type().getConstructor(Object.class, Runnable.class).newInstance(a, body);
    assertEvents("acquired lock a", "body", "releasing lock a");
  }

  @Test
  void aMethod() throws Throwable {
    woven.call("method", body);
    assertEvents("acquired monitors", "body", "releasing monitors");
  }

  @Test
  void anExceptionThatLeavesAMethod() {
    assertThatThrownBy(() -> woven.call("method", failing)).hasMessage("failed");
    assertEvents("acquired monitors", "body", "releasing monitors");
    assertThat(Thread.holdsLock(woven.instance)).isFalse();
  }

  @Test
  void aMethodThatNeverReturns() {
    assertThatThrownBy(() -> woven.call("forever", failing)).hasMessage("failed");
    assertEvents("acquired monitors", "body", "releasing monitors");
  }

  @Test
  void aMethodThatCallsItself() throws Throwable {
    assertThat(woven.call("recursive", 1)).isEqualTo(1);
    assertEvents(
        "acquired monitors", "acquired monitors", "releasing monitors", "releasing monitors");
  }

  @Test
  void aMethodWithABlock() throws Throwable {
    woven.call("methodWithBlock", a, body);
    assertThatThrownBy(() -> woven.call("methodWithBlock", a, failing)).hasMessage("failed");
    assertEvents(
        "acquired monitors",
        "acquired lock a",
        "body",
        "releasing lock a",
        "releasing monitors",
        "acquired monitors",
        "acquired lock a",
        "body",
        "releasing lock a",
        "releasing monitors");
  }

  @Test
  void aMethodWithItsOwnCatch() throws Throwable {
    assertThat(woven.call("methodWithCatch", failing)).isEqualTo("failed");
    assertEvents("acquired monitors", "body", "releasing monitors");
  }

  @Test
  void aStaticMethod() throws Throwable {
    woven.call("ofClass", body);
    assertThatThrownBy(() -> woven.call("ofClass", failing)).hasMessage("failed");
    assertEvents(
        "acquired Monitors",
        "body",
        "releasing Monitors",
        "acquired Monitors",
        "body",
        "releasing Monitors");
  }

  @Test
  void whatIsReturned() throws Throwable {
    assertThat(woven.call("aBoolean")).isEqualTo(true);
    assertThat(woven.call("aChar")).isEqualTo('c');
    assertThat(woven.call("anInt")).isEqualTo(7);
    assertThat(woven.call("aLong")).isEqualTo(1L << 40);
    assertThat(woven.call("aFloat")).isEqualTo(1.5f);
    assertThat(woven.call("aDouble", -4.0)).isEqualTo(4.0);
    assertThat(woven.call("aDouble", 4.0)).isEqualTo(2.5);
    assertThat(woven.call("anObject", (Supplier<?>) () -> "object")).isEqualTo("object");
    assertThat(woven.call("fromBlock", a, 2.5)).isEqualTo(5L);
    assertThat(HookRecorder.events())
        .hasSize(18)
        .filteredOn(event -> event.startsWith("acquired"))
        .hasSize(9);
  }
}
