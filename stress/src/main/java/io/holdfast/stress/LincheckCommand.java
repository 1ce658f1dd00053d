package io.holdfast.stress;

import io.holdfast.stress.faults.TestRun;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The tests of linearizability on the command line, in their long form: those by Lincheck, and the
/// one over crashes. Exit code 0 if they pass.
@Command(
    name = "lincheck",
    mixinStandardHelpOptions = true,
    description =
        "Runs the tests by Lincheck and over crashes: whether the collections are linearizable,"
            + " durably too, and transactions serializable.")
final class LincheckCommand implements Callable<Integer> {
  private static final List<String> TESTS =
      List.of(
          "io.holdfast.stress.linearizability.HashMapLinearizabilityTest",
          "io.holdfast.stress.linearizability.TreeMapLinearizabilityTest",
          "io.holdfast.stress.linearizability.QueueLinearizabilityTest",
          "io.holdfast.stress.linearizability.TransactionsSerializabilityTest",
          "io.holdfast.linearizability.DurableLinearizabilityTest");

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
