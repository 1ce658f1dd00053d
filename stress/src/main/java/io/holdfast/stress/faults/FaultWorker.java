package io.holdfast.stress.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// The main class of a JVM that runs tests on code with faults; {@link FaultTrial} starts it.
///
/// | reads | answers |
/// |---|---|
/// | a site or `-`, a tab, a test's unique id, or a class of tests | `passed` or `failed`, a tab, milliseconds, a tab, why |
///
/// With `reach` and directories of test classes as arguments it runs all their tests once, and
/// tells of each a line: its unique id, milliseconds, and the sites that it runs through, with tabs
/// between.
public final class FaultWorker {
  /// The exit code of a worker that could not do what it was told.
  static final int BROKEN = 3;

  /// What follows from neither the classes under trial nor the tests that crash them: other
  /// processes, full devices, and suites of tens of thousands of tests of interfaces.
  private static final String LEFT_OUT =
      ".*(ContractTest|KillTest|ProcessesTest|FullFileSystemTest|JvmTest|FormatDocumentTest)";

  private final PrintStream answers;
  private final Launcher launcher = LauncherFactory.create();

  private FaultWorker(PrintStream answers) {
    this.answers = answers;
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // tests print
    FaultWorker worker = new FaultWorker(answers);
    try {
      if (arguments.length > 0) {
        worker.reach(Stream.of(arguments).skip(1).map(Path::of).toList());
      } else {
        worker.serve();
      }
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(BROKEN);
    }
    System.exit(0); // tests leave threads behind
  }

  private void serve() throws Exception {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String[] words = order.split("\t");
      FaultAgent.activate(words[0].equals("-") ? null : Site.parse(words[0]));
      long before = System.nanoTime();
      FirstFailure failure = new FirstFailure();
      LauncherDiscoveryRequest test = request(List.of(selected(words[1])));
      // A test that fails may leave its thread in a section, where others would not do the same.
      Thread.ofPlatform().start(() -> launcher.execute(test, failure)).join();
      if (failure.tests == 0) {
        throw new IllegalStateException("no such test: " + words[1]);
      }
      answers.printf(
          "%s\t%d\t%s%n",
          failure.what == null ? "passed" : "failed",
          (System.nanoTime() - before) / 1_000_000,
          failure.what == null ? "" : oneLine(failure.what));
      answers.flush();
    }
  }

  private static DiscoverySelector selected(String test) {
    return test.startsWith("[")
        ? DiscoverySelectors.selectUniqueId(test)
        : DiscoverySelectors.selectClass(test);
  }

  private static LauncherDiscoveryRequest request(List<? extends DiscoverySelector> selectors) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectors)
        .filters(
            EngineFilter.includeEngines("junit-jupiter"),
            ClassNameFilter.excludeClassNamePatterns(LEFT_OUT))
        .build();
  }

  private static String oneLine(Throwable failure) {
    String text = failure.toString().strip().replaceAll("\\s+", " ");
    return text.substring(0, Math.min(text.length(), 160));
  }

  private void reach(List<Path> directories) throws IOException, UnmodifiableClassException {
    List<Site> sites = Sites.in(CodeUnderTrial.find().classes());
    Map<Site, Integer> numbers = new HashMap<>();
    for (int i = 0; i < sites.size(); i++) {
      numbers.put(sites.get(i), i);
    }
    FaultAgent.probe(numbers);
    List<DiscoverySelector> selectors =
        directories.stream()
            .<DiscoverySelector>map(
                each -> DiscoverySelectors.selectClasspathRoots(java.util.Set.of(each)).getFirst())
            .toList();
    launcher.execute(request(selectors), new Reaching(sites));
  }

  /// Whether a test is what is run at a time: a method, with all that it is invoked for.
  private static boolean isMethod(TestIdentifier test) {
    UniqueId.Segment last = test.getUniqueIdObject().getLastSegment();
    return List.of("method", "test-template", "test-factory").contains(last.getType());
  }

  /// Notes what fails first.
  private static final class FirstFailure implements TestExecutionListener {
    private int tests;
    private Throwable what;

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      tests += test.isTest() || result.getThrowable().isPresent() ? 1 : 0;
      if (what == null && result.getStatus() == TestExecutionResult.Status.FAILED) {
        what = result.getThrowable().orElse(new AssertionError("it says no more"));
      }
    }
  }

  /// Tells which sites each test runs through.
  private final class Reaching implements TestExecutionListener {
    private final List<Site> sites;
    private long before;
    private boolean failed;

    private Reaching(List<Site> sites) {
      this.sites = sites;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      if (isMethod(test)) {
        Reach.take();
        failed = false;
        before = System.nanoTime();
      }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      failed |= result.getStatus() == TestExecutionResult.Status.FAILED;
      if (isMethod(test)) {
        answers.printf(
            "%s\t%d\t%s%n",
            test.getUniqueId(),
            (System.nanoTime() - before) / 1_000_000,
            failed
                ? "failed"
                : Reach.take().stream()
                    .mapToObj(each -> sites.get(each).toString())
                    .collect(Collectors.joining(" ")));
        answers.flush();
      }
    }
  }
}
