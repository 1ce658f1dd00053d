package io.holdfast.stress.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.recovery.RegionView;
import io.holdfast.stress.workload.Payments;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A program over queue, maps and sorted maps, killed 12 or 100 times, at work and while it
/// recovers. The nightly form is `./holdfast stress kill --kills 2000 payments`.
class PaymentsKillTest {
  private static final int KILLS = TestForm.count(12, 100);

  @TempDir Path directory;

  @Test
  void theInvariantsOverAllCollectionsHold() throws Exception {
    KillLoop loop = loop(Payments::new);
    cycle(loop, KILLS);
    loop.check();

    KillTally tally = loop.tally();
    assertThat(tally.kills()).isEqualTo(KILLS);
    assertThat(tally.kills(Strike.WORKING)).isPositive();
    assertThat(tally.kills(Strike.RECOVERING)).isGreaterThanOrEqualTo(TestForm.count(0, 1));
    assertThat(tally.acknowledgements()).isPositive();
    assertThat(tally.sectionsUndone()).isPositive();
  }

  /// A loop that can't fail would show nothing.
  @Test
  void paymentsWithoutASectionAreNoticed() {
    KillLoop loop = loop(BarePayments::new);

    assertThatThrownBy(() -> cycle(loop, 100))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("P1 atomic: ");
  }

  @Test
  void whatVerifyFindsIsAViolation() throws Exception {
    Path region = directory.resolve("payments.hf");
    try (Holdfast store = Holdfast.open(region)) {
      store.treeMap("index", Long.class, Integer.class).put(1L, 1);
    }
    Reopening.verify(region);
    overwrite(region, firstBlock(region, "index"));

    assertThatThrownBy(() -> Reopening.verify(region))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("P7 opens: what a kill left is damaged")
        .hasMessageContaining("index");
  }

  private static long firstBlock(Path region, String root) {
    try (RegionView view = RegionView.open(region)) {
      return view.recovered().roots().find(root).firstBlock();
    }
  }

  private KillLoop loop(Supplier<Workload> workload) {
    return new KillLoop(workload, directory, 4, 9, Map.of());
  }

  private static void cycle(KillLoop loop, int kills) throws InterruptedException {
    for (int i = 0; i < kills; i++) {
      loop.cycle();
    }
  }

  private static void overwrite(Path region, long offset) throws IOException {
    byte[] nonsense = new byte[64];
    Arrays.fill(nonsense, (byte) 0xFF);
    try (FileChannel channel = FileChannel.open(region, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(nonsense), offset);
    }
  }
}
