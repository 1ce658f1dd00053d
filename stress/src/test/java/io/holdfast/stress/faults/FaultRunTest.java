package io.holdfast.stress.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A fault goes into a running JVM, is noticed by a test, and out again.
@Timeout(240)
class FaultRunTest {
  @TempDir Path directory;

  private static final String TEST =
      "[engine:junit-jupiter]/[class:io.holdfast.core.memory.OrderedMemoryTest]/[method:%s()]";

  @Test
  void aFaultIsNoticedByTheTestOfItsOrder() throws Exception {
    Site release = Site.parse("core.memory.OrderedMemory.writeRelease#flush@1");
    Site logged = Site.parse("core.memory.OrderedMemory.writeLogged#flush@1");
    Site declared = Site.parse("core.memory.MappedMemory.closed#volatile@1");
    TestMethod test =
        new TestMethod(
            TEST.formatted("aReleaseStoreComesAfterOtherLines"),
            100,
            Set.of(release, logged, declared));
    List<Outcome> outcomes = new ArrayList<>();
    new FaultRun(directory, 1)
        .run(List.of(logged, release, logged, declared), List.of(test), 1_000, outcomes::add);
    assertThat(outcomes)
        .extracting(Outcome::site)
        .containsExactly(logged, release, logged, declared);
    assertThat(outcomes).extracting(Outcome::isNoticed).containsExactly(false, true, false, false);
    assertThat(outcomes).extracting(Outcome::tried).containsOnly(1);
  }

  /// One thread alone does not notice that it has no lock: not even by giving it up twice.
  @Test
  void aLockIsGivenUpOnce() throws Exception {
    Site lock = Site.parse("collections.map.Stripe.locked#lock@1");
    TestMethod test =
        new TestMethod(
            "[engine:junit-jupiter]/[class:io.holdfast.collections.map.MapCountsTest]/[method:costsWhatTheTableSays()]",
            100,
            Set.of(lock));
    List<Outcome> outcomes = new ArrayList<>();
    new FaultRun(directory, 1).run(List.of(lock), List.of(test), 1_000, outcomes::add);
    assertThat(outcomes).hasSize(1).noneMatch(Outcome::isNoticed);
  }

  /// An excuse is for faults that there are, and that nobody notices.
  @Test
  void excusesAreOfFaultsThatThereAre() throws Exception {
    List<Site> sites = new FaultRun(directory, 1).sites();
    assertThat(Known.unnoticed().keySet())
        .allSatisfy(
            excused -> assertThat(sites).anyMatch(each -> excused.matcher(each + "").matches()));
    Set<Site> noticed = new HashSet<>();
    Known.noticers().forEach(test -> noticed.addAll(test.reached()));
    assertThat(sites).containsAll(noticed);
    assertThat(noticed).isNotEmpty().noneMatch(Known::isExcused);
  }
}
