package io.holdfast.stress;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
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
    subcommands = {
      AllCommand.class,
      DemoCommand.class,
      FailuresCommand.class,
      FaultsCommand.class,
      JcstressCommand.class,
      KillCommand.class,
      LincheckCommand.class,
      PowerCommand.class,
      SoakCommand.class
    },
    versionProvider = Stress.Version.class)
public final class Stress implements Runnable {
  /// Held, because a logger that nobody holds forgets its level. The tables tell of recoveries.
  private static final Logger RECOVERIES = Logger.getLogger("io.holdfast");

  @Spec private CommandSpec spec;

  private Stress() {}

  /// Runs the command line and exits with its code: 0 success, 1 failure, 2 wrong usage.
  public static void main(String[] args) {
    RECOVERIES.setLevel(Level.WARNING);
    System.exit(commandLine().execute(withCommand(args)));
  }

  /// `all`, if the first argument is an option of it.
  static String[] withCommand(String[] args) {
    boolean isOfAll = args.length > 0 && List.of("--quick", "--minutes").contains(args[0]);
    return isOfAll ? Stream.concat(Stream.of("all"), Stream.of(args)).toArray(String[]::new) : args;
  }

  static CommandLine commandLine() {
    return new CommandLine(new Stress());
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
