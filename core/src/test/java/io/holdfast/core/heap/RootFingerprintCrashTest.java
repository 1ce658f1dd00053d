package io.holdfast.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.Collection;

/// ROOT-3: a root has its old fingerprint or the new one, and its place among the others.
class RootFingerprintCrashTest {
  private static void create(Region region, String name) {
    region.roots().create(name, "kind of " + name, "old", () -> region.heap().allocate(64));
  }

  private static void change(Region region, String name, String fingerprint) {
    Root before = region.roots().find(name);
    region.roots().changeFingerprint(name, fingerprint);
    assertThat(region.roots().find(name))
        .isEqualTo(
            new Root(
                name, before.kind(), fingerprint, before.firstBlock(), before.createdMillis()));
  }

  /// Creation times differ from run to run.
  private static String state(Region region) {
    return region.roots().all().stream()
            .map(root -> root.name() + "=" + root.fingerprint())
            .toList()
        + " "
        + region.heap().validator().blocks().size()
        + Words.read(region, 0, 2);
  }

  /// Roots lie in blocks of their own: what is allocated from here on overwrites none.
  private static void goOn(Region region, Object point) {
    Collection<Root> before = region.roots().all();
    Words.atomically(
        () -> {
          for (long size : new long[] {64, 96, 1_600}) {
            for (int i = 0; i < 4; i++) {
              long block = region.heap().allocate(size);
              for (long at = block; at < block + size; at += 8) {
                region.memory().writePlain(at, -1);
              }
            }
          }
        });
    assertThat(new RootDirectory(region.memory(), region.heap(), region.sections()).all())
        .isEqualTo(before);
  }

  @CrashTest
  void root3(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 2);
              Words.dirtyFreeSpans(region);
              create(region, "a");
              create(region, "b");
              create(region, "c");
            })
        .state(RootFingerprintCrashTest::state)
        .check(RootFingerprintCrashTest::goOn)
        .step("the newest", region -> change(region, "c", "new"))
        .step("one between, longer", region -> change(region, "b", "new".repeat(500)))
        .step("the oldest, within a section", region -> section(region))
        .step("again", region -> change(region, "b", ""));
  }

  private static void section(Region region) {
    Words.atomically(
        () -> {
          Words.write(region, 0, 1);
          change(region, "a", "new");
          Words.write(region, 1, 1);
        });
  }
}
