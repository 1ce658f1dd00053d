package io.holdfast.core.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.memory.BootId;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionHeader.State;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SystemRun;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// In which order the device learns that a region is open, and closed.
class SystemRunTest {
  private static final long ANOTHER_RUN = 77;

  private final Memory bytes = new RecordingMemory();
  private final List<String> forced = new ArrayList<>();
  private long stores;

  /// A memory that counts stores and remembers what the region said when it was forced.
  private Memory memory() {
    HookedMemory memory = new HookedMemory(bytes);
    memory.beforeEachStore(() -> stores++);
    memory.beforeForce(
        () -> {
          stores = 0;
          long run = bytes.readPlain(RegionLayout.RUN);
          forced.add(RegionHeader.read(bytes).state() + (run == BootId.current() ? " here" : ""));
        });
    return memory;
  }

  private Region open() {
    Region region = Region.open(memory(), RegionLayout.MIN_BYTES);
    region.recordOpening();
    return region;
  }

  @Test
  void run2OpenIsDurableFirst() {
    Region region = open();
    assertThat(forced).containsExactly("OPEN");
    assertThat(stores).as("the run").isEqualTo(1);
    region.sections().close();
    open().sections().close();
    assertThat(forced).as("the device knows already").hasSize(1);
    bytes.writePlain(RegionLayout.RUN, ANOTHER_RUN);
    open().sections().close();
    assertThat(forced).containsExactly("OPEN", "OPEN");
  }

  /// A process that is killed while it waits for the device leaves what it has stored in the page
  /// cache alone.
  @Test
  void run2AnOpeningThatWasCutOffIsNoWitness() {
    Region region = Region.open(memory(), RegionLayout.MIN_BYTES);
    HookedMemory killed = (HookedMemory) region.memory();
    killed.beforeForce(
        () -> {
          throw new IllegalStateException("killed");
        });
    assertThatIllegalStateException().isThrownBy(region::recordOpening);
    region.sections().close();
    open().sections().close();
    assertThat(forced).containsExactly("OPEN");
  }

  @Test
  void run2ClosedIsSaidWhenAllIsDurable() {
    Region region = open();
    region.roots().create("root", "kind", "codec", () -> region.heap().allocate(100));
    forced.clear();
    HookedMemory again = (HookedMemory) region.memory();
    again.reopenAs(memory());
    region.close();
    assertThat(forced).containsExactly("OPEN here");
    // Two copies of the header, and the run; the file is made shorter, and given back.
    assertThat(stores).isEqualTo(2L * RegionLayout.LINE_BYTES / RegionLayout.WORD_BYTES + 1 + 2);
    assertThat(RegionHeader.read(bytes).state()).isEqualTo(State.CLOSED);
    assertThat(bytes.readPlain(RegionLayout.RUN)).isZero();
  }

  /// Otherwise the next opening in this run would take the device to know that the region is open.
  @Test
  void run2ACopyThatIsClosedForgetsTheRun() {
    open().sections().close();
    Region.recoverAndClose(memory());
    assertThat(bytes.readPlain(RegionLayout.RUN)).isZero();
    forced.clear();
    open().sections().close();
    assertThat(forced).containsExactly("OPEN");
  }

  private boolean mayMixMoments() {
    return SystemRun.mayMixMoments(bytes, Path.of("of no file"));
  }

  @Test
  void run1OnlyWhatWasNotClosedInAnotherRunMayMixMoments() {
    assertThat(mayMixMoments()).as("no region").isFalse();
    Region region = open();
    assertThat(mayMixMoments()).as("this run").isFalse();
    bytes.writePlain(RegionLayout.RUN, ANOTHER_RUN);
    assertThat(mayMixMoments()).as("another one").isTrue();
    bytes.writePlain(RegionLayout.RUN, 0);
    assertThat(mayMixMoments()).as("one that is not known").isTrue();
    bytes.writePlain(RegionLayout.RUN, -1);
    assertThat(mayMixMoments()).as("durable in order").isFalse();
    region.close();
    bytes.writePlain(RegionLayout.RUN, ANOTHER_RUN);
    assertThat(mayMixMoments()).as("closed").isFalse();
  }
}
