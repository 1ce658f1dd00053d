package io.holdfast.recovery.cli;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command line. Each subcommand is a class of its own.
@Command(
    name = "holdfast",
    description = "Looks at Holdfast's files, proves them sound, and gets everything out of them.",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    subcommands = {
      InfoCommand.class,
      LsCommand.class,
      DumpCommand.class,
      LogCommand.class,
      RecoverCommand.class,
      StatCommand.class,
      TopCommand.class,
      VerifyCommand.class,
      SalvageCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      CompactCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      GenerateCompletion.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    versionProvider = HoldfastCommand.Version.class)
public final class HoldfastCommand implements Runnable {
  /// Held, because a logger that nobody holds forgets its level. Commands say themselves what
  /// recovery did.
  private static final Logger RECOVERIES = Logger.getLogger("io.holdfast");

  @Spec private CommandSpec spec;

  private HoldfastCommand() {}

  /// Runs the command line and exits with its {@link ExitCode}.
  public static void main(String[] args) {
    RECOVERIES.setLevel(Level.WARNING);
    CommandLine commandLine = commandLine();
    // By its own descriptor and in large pieces: a dump is millions of lines.
    commandLine.setOut(
        new PrintWriter(
            new BufferedWriter(
                new OutputStreamWriter(
                    new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8),
                1 << 16)));
    int exitCode = commandLine.execute(args);
    commandLine.getOut().flush();
    System.exit(exitCode);
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new HoldfastCommand());
    commandLine.setExecutionExceptionHandler(new Refusals());
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    Map<String, String> codes = new LinkedHashMap<>();
    Arrays.stream(ExitCode.values())
        .forEach(code -> codes.put(" " + code.number(), code.meaning()));
    commandLine.getCommandSpec().usageMessage().exitCodeList(codes);
    return commandLine;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is required");
  }

  /// Reads the version from the manifest of the jar that holds this class.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = HoldfastCommand.class.getPackage().getImplementationVersion();
      return new String[] {"holdfast " + (version == null ? "unpackaged" : version)};
    }
  }
}
