package io.holdfast.stress;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command line of the long-running work. Each subcommand is a class of its own.
@Command(
    name = "stress",
    description = "Runs Holdfast for long and under fire.",
    mixinStandardHelpOptions = true,
    versionProvider = Stress.Version.class)
public final class Stress implements Runnable {
  @Spec private CommandSpec spec;

  private Stress() {}

  /// Runs the command line and exits with its code: 0 success, 1 failure, 2 wrong usage.
  public static void main(String[] args) {
    System.exit(new CommandLine(new Stress()).execute(args));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is required");
  }

  /// Reads the version from the manifest of the jar that holds this class.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Stress.class.getPackage().getImplementationVersion();
      return new String[] {"holdfast-stress " + (version == null ? "unpackaged" : version)};
    }
  }
}
