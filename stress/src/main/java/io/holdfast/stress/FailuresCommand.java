package io.holdfast.stress;

import io.holdfast.stress.failures.FailureRun;
import io.holdfast.stress.failures.Injection;
import io.holdfast.stress.failures.Survival;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Injected failures on the command line. Exit code 0 if no promise was broken.
@Command(
    name = "failures",
    mixinStandardHelpOptions = true,
    description = {
      "Fails the N-th allocation, frame or call of the file system of an operation, for N = 1, 2,"
          + " 3, …, and looks at the store after each.",
      "Prints a line for each scene and failure: how many N there are, how many were tried,"
          + " and what came of them."
    })
final class FailuresCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--quick", description = "tries some N of each scene, in about a minute")
  private boolean quick;

  @Option(
      names = "--fail",
      paramLabel = "FAILURE",
      split = ",",
      description =
          "allocation, heap, linkage, frame, stack, eio, device, enospc (default: all but stack)")
  private List<String> failures = List.of();

  @Option(
      names = "--durability",
      paramLabel = "FAILURE",
      description =
          "what the stores survive: process-crash, power-failure-on-disk, relaxed-on-disk"
              + " (default: process-crash)")
  private String durability = Survival.PROCESS_CRASH.toString();

  @Parameters(paramLabel = "SCENE", arity = "0..*", description = "by name (default: all)")
  private List<String> scenes = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Survival survival;
    try {
      survival = Survival.of(durability);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(),
          "no such durability: name=%s, allowed=%s"
              .formatted(durability, List.of(Survival.values())),
          e);
    }
    List<String> names = FailureRun.names(survival);
    if (!names.containsAll(scenes)) {
      throw new ParameterException(
          spec.commandLine(), "no such scene: names=%s, allowed=%s".formatted(scenes, names));
    }
    List<Injection> injections;
    try {
      injections = failures.stream().map(Injection::of).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(),
          "no such failure: names=%s, allowed=%s".formatted(failures, List.of(Injection.values())),
          e);
    }
    Scratch scratch = Scratch.inMemory("holdfast-failures-");
    PrintWriter out = spec.commandLine().getOut();
    boolean passed =
        new FailureRun(scratch.directory(), survival, quick)
            .run(
                injections,
                scenes,
                line -> {
                  out.println(line);
                  out.flush();
                });
    scratch.delete();
    return passed ? 0 : 1;
  }
}
