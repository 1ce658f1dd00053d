package io.holdfast.stress;

import io.holdfast.stress.faults.TestRun;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The Lincheck tests on the command line. Exit code 0 if they pass.
@Command(
    name = "lincheck",
    mixinStandardHelpOptions = true,
    description = "Runs the Lincheck tests: whether the collections are linearizable.")
final class LincheckCommand implements Callable<Integer> {
  private static final List<String> TESTS =
      List.of("HashMap", "TreeMap", "Queue").stream()
          .map(name -> "io.holdfast.stress.linearizability." + name + "LinearizabilityTest")
          .toList();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Scratch scratch = new Scratch("holdfast-lincheck-");
    int failed = 0;
    for (String test : TESTS) {
      String failure = TestRun.of(scratch.directory(), test);
      failed += failure.isEmpty() ? 0 : 1;
      spec.commandLine().getOut().printf("%s: %s%n", test, failure.isEmpty() ? "passed" : failure);
    }
    spec.commandLine().getOut().printf("%d of %d failed%n", failed, TESTS.size());
    if (failed == 0) {
      scratch.delete();
    }
    return failed == 0 ? 0 : 1;
  }
}
