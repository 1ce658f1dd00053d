package io.holdfast.recovery.cli;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command line. Each subcommand is a class of its own.
@Command(
    name = "holdfast",
    description = "Looks at Holdfast's files, proves them sound, and gets everything out of them.",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    exitCodeListHeading = "%nExit codes:%n",
    versionProvider = HoldfastCommand.Version.class)
public final class HoldfastCommand implements Runnable {
  /// Held, because a logger that nobody holds forgets its level. Commands say themselves what
  /// recovery did.
  private static final Logger RECOVERIES = Logger.getLogger("io.holdfast");

  private static final String COMPLETION = "generate-completion";

  /// In the order in which the help lists them.
  private static final SequencedMap<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("info", InfoCommand::new);
    COMMANDS.put("ls", LsCommand::new);
    COMMANDS.put("dump", DumpCommand::new);
    COMMANDS.put("log", LogCommand::new);
    COMMANDS.put("recover", RecoverCommand::new);
    COMMANDS.put("stat", StatCommand::new);
    COMMANDS.put("top", TopCommand::new);
    COMMANDS.put("agent", AgentCommand::new);
    COMMANDS.put("verify", VerifyCommand::new);
    COMMANDS.put("salvage", SalvageCommand::new);
    COMMANDS.put("backup", BackupCommand::new);
    COMMANDS.put("restore", RestoreCommand::new);
    COMMANDS.put("compact", CompactCommand::new);
    COMMANDS.put("export", ExportCommand::new);
    COMMANDS.put("import", ImportCommand::new);
    COMMANDS.put("doctor", DoctorCommand::new);
    COMMANDS.put(COMPLETION, GenerateCompletion::new);
  }

  @Spec private CommandSpec spec;

  private HoldfastCommand() {}

  /// Runs the command line and exits with its {@link ExitCode}.
  public static void main(String[] args) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // programs read what is printed, too
    RECOVERIES.setLevel(Level.WARNING);
    boolean isKnown = args.length > 0 && COMMANDS.containsKey(args[0]);
    boolean needsOthers = isKnown && args[0].equals(COMPLETION);
    // To look into a command's annotations takes some 10 ms, so those of others are left alone.
    CommandLine commandLine =
        isKnown && !needsOthers ? commandLine(List.of(args[0])) : commandLine();
    // By its own descriptor and in large pieces: a dump is millions of lines.
    StandardOutput output = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    commandLine.setOut(
        new PrintWriter(
            new BufferedWriter(new OutputStreamWriter(output, StandardCharsets.UTF_8), 1 << 16)));
    int exitCode = commandLine.execute(args);
    commandLine.getOut().flush();
    System.exit(output.exitCode(exitCode, commandLine.getErr()));
  }

  static CommandLine commandLine() {
    return commandLine(COMMANDS.keySet());
  }

  private static CommandLine commandLine(Collection<String> commands) {
    CommandLine commandLine = new CommandLine(new HoldfastCommand());
    commands.forEach(name -> commandLine.addSubcommand(name, COMMANDS.get(name).get()));
    Refusals refusals = new Refusals();
    commandLine.setExecutionExceptionHandler(refusals);
    commandLine.setParameterExceptionHandler(refusals);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    CommandLine doctor = commandLine.getSubcommands().get("doctor");
    if (doctor != null) {
      nameDirectory(doctor.getCommandSpec());
    }
    listExitCodes(commandLine, true);
    for (CommandLine each : commandLine.getSubcommands().values()) {
      listExitCodes(each, each.getCommand() instanceof VerifyCommand);
      each.getSubcommands().values().forEach(nested -> listExitCodes(nested, false));
    }
    return commandLine;
  }

  /// What commands have in common says that they are given a region's file.
  private static void nameDirectory(CommandSpec doctor) {
    PositionalParamSpec file = doctor.positionalParameters().getFirst();
    doctor.remove(file);
    doctor.add(
        PositionalParamSpec.builder(file)
            .paramLabel("DIR")
            .description("the directory, or a file in it")
            .build());
  }

  /// @param judges whether it is asked for a judgement, as `verify` alone is
  private static void listExitCodes(CommandLine commandLine, boolean judges) {
    Map<String, String> codes = new LinkedHashMap<>();
    Arrays.stream(ExitCode.values())
        .filter(code -> judges || code != ExitCode.RECOVERABLE)
        .forEach(code -> codes.put(" " + code.number(), code.meaning()));
    commandLine.getCommandSpec().usageMessage().exitCodeList(codes);
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
