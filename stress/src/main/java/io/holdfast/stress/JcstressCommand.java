package io.holdfast.stress;

import io.holdfast.stress.kill.AgentJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The jcstress tests on the command line: a JVM of their own, because jcstress writes its findings
/// where it is run. Exit code 0 if nothing forbidden was seen, and what is broken showed it.
@Command(
    name = "jcstress",
    mixinStandardHelpOptions = true,
    description = "Runs the jcstress tests: what threads see of each other.")
final class JcstressCommand implements Callable<Integer> {
  /// For the library by which jcstress pins its threads.
  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /// What the agent weaves, but for the code that jcstress has made for it.
  private static final String WOVEN = "io.holdfast.stress.visibility";

  /// Some seconds for each test: both threads by the same compiler, the one that moves most, and
  /// more than it would by itself; else there are four rounds.
  private static final List<String> QUICK =
      List.of(
          "-m",
          "quick",
          "-f",
          "1",
          "-sc",
          "false",
          "-jvmArgs",
          "-XX:+UnlockDiagnosticVMOptions -XX:-TieredCompilation -XX:+StressLCM -XX:+StressGCM"
              + " -XX:+StressIGVN -XX:+StressCCP");

  @Spec private CommandSpec spec;

  @Option(names = "--quick", description = "some seconds for each test")
  private boolean quick;

  @Option(names = "--results", paramLabel = "DIR", description = "keeps jcstress's report there")
  private Path results;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "part of the name of a test, a regular expression (default: all)")
  private String name = "io.holdfast";

  @Override
  public Integer call() throws IOException, InterruptedException {
    Scratch scratch = new Scratch("holdfast-jcstress-");
    boolean passed = run(scratch.directory(), name, quick ? quick("1", "500") : List.of());
    JcstressFindings found = JcstressFindings.of(scratch.directory());
    if (quick && !found.uncaught().isEmpty()) {
      // On a busy machine two threads may hardly have run at once: these have another time.
      String uncaught = String.join("|", found.uncaught()).replace("$", "\\$");
      passed &= run(scratch.directory(), "^(" + uncaught + ")$", quick("5", "2000"));
      found = JcstressFindings.of(scratch.directory());
    }
    scratch.delete();
    found.failed().forEach(test -> tell("failed", test));
    found.uncaught().forEach(test -> tell("broken, and showed nothing", test));
    int failures = found.failed().size() + found.uncaught().size();
    spec.commandLine().getOut().printf("%d of %d failed%n", failures, found.tests());
    return passed && failures == 0 ? 0 : 1;
  }

  private static List<String> quick(String iterations, String milliseconds) {
    List<String> extent = new ArrayList<>(QUICK);
    extent.addAll(List.of("-iters", iterations, "-time", milliseconds));
    return extent;
  }

  /// Runs tests whose names an expression finds; what they find is left in the directory.
  private boolean run(Path directory, String tests, List<String> extent)
      throws IOException, InterruptedException {
    Path report = results == null ? directory.resolve("report") : results.toAbsolutePath();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                NATIVE_ACCESS,
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                Path.of(System.getProperty("java.class.path")).toAbsolutePath().toString(),
                "org.openjdk.jcstress.Main"));
    command.addAll(List.of("-t", tests, "-r", report.toString()));
    command.addAll(extent);
    // Few states at once, because each has a queue in a file.
    command.addAll(List.of("-strideSize", "16", "-strideCount", "16"));
    command.addAll(
        List.of(
            "-jvmArgsPrepend",
            "%s -Djava.io.tmpdir=%s -javaagent:%s=include=%s.*;exclude=%s.*_jcstress"
                .formatted(NATIVE_ACCESS, directory, AgentJar.find(directory), WOVEN, WOVEN)));
    return new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor()
        == 0;
  }

  private void tell(String what, String test) {
    spec.commandLine()
        .getOut()
        .printf(
            "%s: %s; reproduce: ./holdfast stress jcstress %s%s%n",
            what, test, quick ? "--quick " : "", test.substring(test.lastIndexOf('.') + 1) + "$");
  }
}
