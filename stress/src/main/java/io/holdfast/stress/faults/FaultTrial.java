package io.holdfast.stress.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Tries faults one after the other in one JVM: each is run through the tests that reach it, until
/// one fails.
///
/// A test that fails is no proof: it could fail because of what an earlier fault has left in the
/// JVM. So it is run once more in the same JVM without the fault; if it fails then, too, the fault
/// is tried on it in a fresh one.
///
/// For one thread.
final class FaultTrial implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 10_000;
  private static final int PATIENCE_FACTOR = 15;
  private static final long LONG_MILLIS = 10_000;

  /// Of a test that has noticed the fault before: where threads race, one may miss it.
  private static final int TRIES = 10;

  private final CodeUnderTrial code;
  private final Path agentJar;
  private final Path directory;
  private final long budgetMillis;
  private final Map<String, Set<String>> noticers;
  private TrialJvm jvm;

  /// The fault of a declaration that the JVM was started with.
  private Site declaredInJvm;

  /// @param budgetMillis tests that take so long together without a fault are run for each, besides
  ///   those that have noticed it before
  /// @param noticers by fault and by class, the tests that have noticed it, or one in it; shared
  FaultTrial(
      CodeUnderTrial code,
      Path agentJar,
      Path directory,
      long budgetMillis,
      Map<String, Set<String>> noticers) {
    this.code = code;
    this.agentJar = agentJar;
    this.directory = directory;
    this.budgetMillis = budgetMillis;
    this.noticers = noticers;
  }

  /// @param reaching the tests that may notice it
  Outcome of(Site site, List<TestMethod> reaching) throws InterruptedException {
    long millis = 0;
    long planned = 0;
    int tried = 0;
    Set<String> own = noticers.getOrDefault(site.toString(), Set.of());
    for (TestMethod test : inOrder(site, own, reaching)) {
      planned += own.contains(test.id()) ? 0 : test.millis();
      if (tried > 0 && planned > budgetMillis) {
        break;
      }
      tried++;
      TrialJvm.Answer answer = run(site, test);
      millis += answer.millis();
      if (answer.failed() && isByTheFault(site, test)) {
        note(noticers, site, test.id());
        return new Outcome(site, test.id(), tried, millis, answer.why());
      }
    }
    return new Outcome(site, null, tried, millis, "");
  }

  static void note(Map<String, Set<String>> noticers, Site site, String test) {
    for (String name : List.of(site.toString(), site.className())) {
      noticers.computeIfAbsent(name, _ -> ConcurrentHashMap.newKeySet()).add(test);
    }
  }

  /// Those that have noticed the fault before, each several times; then the cheapest first of those
  /// that are as close to the site; and what takes long at the end.
  private List<TestMethod> inOrder(Site site, Set<String> own, List<TestMethod> reaching) {
    Set<String> known = Set.copyOf(noticers.getOrDefault(site.className(), Set.of()));
    List<TestMethod> nearestFirst =
        reaching.stream()
            .sorted(
                Comparator.<TestMethod>comparingInt(test -> distance(site, test, known))
                    .thenComparingLong(TestMethod::millis))
            .toList();
    List<TestMethod> order = new ArrayList<>();
    for (int i = 0; i < TRIES; i++) {
      nearestFirst.stream().filter(test -> own.contains(test.id())).forEach(order::add);
    }
    nearestFirst.stream().filter(test -> !own.contains(test.id())).forEach(order::add);
    return order;
  }

  /// How far a test is from a site: it has noticed a fault of the class, or is called after it; it
  /// is one of its package; it is a crash test, or not, as the fault is of media or not.
  private static int distance(Site site, TestMethod test, Set<String> known) {
    if (test.millis() > LONG_MILLIS) {
      return 4;
    }
    String place = Site.PACKAGE + site.className();
    if (known.contains(test.id()) || test.id().contains(":" + place)) {
      return 0;
    }
    boolean isNear = test.id().contains(":" + place.substring(0, place.lastIndexOf('.') + 1));
    boolean suits = test.id().contains("Crash") == site.kind().isOfMedia();
    return 1 + (isNear ? 0 : 1) + (suits ? 0 : 1);
  }

  private TrialJvm.Answer run(Site site, TestMethod test) throws InterruptedException {
    Site declared = site != null && site.kind().isOfDeclaration() ? site : null;
    if (jvm != null && !Objects.equals(declared, declaredInJvm)) {
      close();
    }
    if (jvm == null) {
      jvm = TrialJvm.start(code, agentJar, directory, declared);
      declaredInJvm = declared;
    }
    TrialJvm.Answer answer = jvm.run(site, test.id(), patience(test));
    if (isGone(answer)) {
      close();
    }
    return answer;
  }

  private static boolean isGone(TrialJvm.Answer answer) {
    return answer.why().startsWith("the JVM ended") || answer.why().startsWith("did not come");
  }

  private static long patience(TestMethod test) {
    return PATIENCE_MILLIS + PATIENCE_FACTOR * test.millis();
  }

  private boolean isByTheFault(Site site, TestMethod test) throws InterruptedException {
    boolean passesWithout = !run(null, test).failed();
    if (passesWithout) {
      return true;
    }
    close();
    boolean failsAgain = run(site, test).failed();
    close();
    return failsAgain && !run(null, test).failed();
  }

  @Override
  public void close() {
    if (jvm != null) {
      jvm.close();
      jvm = null;
    }
  }
}
