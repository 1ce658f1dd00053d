package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.fixture.FaultyDisk;
import io.holdfast.core.fixture.FaultyDisk.Fault;
import io.holdfast.core.fixture.RecordedDisk;
import io.holdfast.core.redo.ToldLog.Told;
import io.holdfast.testkit.ForwardingDisk.Change;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each call in turn fails, in each way. Shows FAIL-1, CREATE-1 and DISK-4.
class BatchLogFailureTest {
  private static final int RING = 8 * Blocks.BYTES;

  /// What the log does until a call fails; 13 calls.
  private static void script(ToldLog log) {
    log.append(100);
    Mark mark = log.log().mark();
    log.append(9000);
    log.moveStart(mark);
    while (log.appendIfRoom(3000)) {
      // until it is full
    }
    log.moveStart(log.log().mark());
    log.append(9000);
    log.log().grow(RING + 4 * Blocks.BYTES);
    log.append(9000);
    log.moveStart(log.log().mark());
    log.append(9000);
  }

  @ParameterizedTest
  @EnumSource
  void eachCallFailsInTurn(Fault fault) {
    int call = 1;
    while (failsAt(call, fault)) {
      call++;
    }
    assertThat(call).isGreaterThan(13);
  }

  /// @return whether there is such a call
  private static boolean failsAt(int call, Fault fault) {
    RecordedDisk recorded = new RecordedDisk();
    FaultyDisk disk = new FaultyDisk(recorded);
    disk.fail(call, fault);
    ToldLog log = null;
    try {
      log = ToldLog.create(disk, RING);
      script(log);
      return false;
    } catch (RegionFullException e) {
      assertThat(disk.calls().get(call - 1)).isEqualTo(Change.WRITE);
      assertThat(e).hasMessageContaining("no room").hasMessageContaining("Make room");
      fullIsUsable(recorded, disk, log);
    } catch (RegionAccessException e) {
      if (log == null) {
        createAnew(recorded);
      } else {
        assertThat(e).hasMessageContaining("not known whether").hasCause(e.getCause());
        isLatched(disk, log, e.getCause());
      }
    }
    if (log != null) {
      Told told = log.told();
      int images =
          recorded.images(
              64,
              call,
              image -> {
                ToldLog next = ToldLog.open(image, told, 3);
                next.appendIfRoom(100);
              });
      assertThat(images).isPositive();
    }
    return true;
  }

  /// A creation that failed has left no file, or can be cleared away.
  private static void createAnew(RecordedDisk recorded) {
    if (recorded.exists(ToldLog.PATH)) {
      recorded.forget(ToldLog.PATH);
    }
    script(ToldLog.create(recorded, RING));
  }

  private static void fullIsUsable(RecordedDisk recorded, FaultyDisk disk, ToldLog log) {
    if (log == null) {
      assertThat(disk.calls()).endsWith(Change.WRITE, Change.DELETE);
      assertThat(recorded.exists(ToldLog.PATH)).isFalse();
      createAnew(recorded);
    } else {
      assertThat(disk.calls()).endsWith(Change.WRITE, Change.SET_LENGTH);
      assertThat(log.log().grow(RING + Blocks.BYTES)).isTrue();
      log.moveStart(log.log().mark());
      log.append(9000);
    }
  }

  private static void isLatched(FaultyDisk disk, ToldLog log, Throwable cause) {
    List<Change> calls = List.copyOf(disk.calls());
    Mark start = new Mark(LogHeader.RING, log.told().startLeast(), 0);
    List<Runnable> later =
        List.of(
            () -> log.log().append(99, true),
            () -> log.log().moveStart(start),
            () -> log.log().moveStart(log.log().mark()),
            () -> log.log().grow(4 * RING));
    for (Runnable each : later) {
      assertThatExceptionOfType(RegionAccessException.class)
          .isThrownBy(each::run)
          .withMessageContaining("not known whether")
          .withMessageContaining("open it again")
          .withCause(cause);
    }
    log.log().close();
    assertThat(disk.calls()).isEqualTo(calls);
  }

  /// In the recovery: nothing is appended, and the next one finds what there is.
  @ParameterizedTest
  @EnumSource
  void recoveryFailsAndIsRepeated(Fault fault) {
    for (boolean readsTheDevice : new boolean[] {true, false}) {
      RecordedDisk recorded = new RecordedDisk(readsTheDevice);
      ToldLog log = ToldLog.create(recorded, RING);
      log.append(100);
      log.append(5000);
      for (int call = 1; call <= (readsTheDevice ? 1 : 3); call++) {
        FaultyDisk disk = new FaultyDisk(recorded);
        disk.fail(call, fault);
        assertThatExceptionOfType(HoldfastException.class)
            .isThrownBy(() -> ToldLog.open(disk, log.told(), 1))
            .isInstanceOf(RegionAccessException.class);
        assertThat(disk.hasFailed()).isTrue();
        recorded.images(64, call, image -> ToldLog.open(image, log.told(), 1).append(100));
      }
      ToldLog.open(recorded, log.told(), 1).append(100);
    }
  }

  /// The numbers of the calls that fail are those of this list.
  @Test
  void callsAreThese() {
    FaultyDisk disk = new FaultyDisk(new RecordedDisk());
    ToldLog log = ToldLog.create(disk, RING);
    assertThat(disk.calls())
        .containsExactly(
            Change.CREATE, Change.WRITE, Change.FORCE, Change.WRITE_DURABLY, Change.FORCE_NAMES);
    disk.calls().clear();
    log.append(9000);
    assertThat(disk.calls()).containsExactly(Change.WRITE_DURABLY);
    disk.calls().clear();
    log.moveStart(log.log().mark());
    assertThat(disk.calls()).containsExactly(Change.WRITE_DURABLY);
    disk.calls().clear();
    assertThat(log.log().grow(2 * RING)).isTrue();
    assertThat(disk.calls()).containsExactly(Change.WRITE, Change.FORCE, Change.WRITE_DURABLY);
    disk.calls().clear();
    ToldLog.open(disk, new Told(1, 1, 2, 2, Map.of()), 1);
    assertThat(disk.calls()).containsExactly(Change.FORCE);
  }
}
