package io.holdfast.recovery.cli;

import io.holdfast.recovery.LiveStore;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// What the agent does in the process that has a store open.
@Command(
    name = "agent",
    description = "Shows what the agent did in the process that has a store open.",
    subcommands = AgentCommand.Report.class)
final class AgentCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "agent has one command: report FILE");
  }

  /// What was woven, and what woven code was seen to do that is likely wrong.
  @Command(
      name = "report",
      description = {
        "Shows what the agent has woven in the process that has a store open, and what woven code"
            + " was seen to do there that is likely wrong: once for each place, with its stack.",
        "Reached by attaching to the process, which must still run. Each finding is also a warning"
            + " in its log (io.holdfast) and an event in its flight recording"
            + " (io.holdfast.Finding)."
      })
  static final class Report extends FactsCommand {
    @Override
    String insteadOfTheProcess() {
      return ". What was told while one had is in that process's log, as warnings of io.holdfast,"
          + " and in its flight recording: jfr print --events io.holdfast.Finding RECORDING";
    }

    @Override
    ExitCode run() throws IOException {
      try (LiveStore store = reach("agent report")) {
        List<String> report = store.bean().getAgentReport();
        String woven = report.isEmpty() ? "the process runs without the agent" : report.getFirst();
        List<String> findings = report.isEmpty() ? report : report.subList(1, report.size());
        if (isJson() || isPlain()) {
          print(new Facts().put("woven", woven).put("findings", findings));
        } else {
          out().println(woven);
          findings.forEach(finding -> out().println(System.lineSeparator() + finding));
        }
        return ExitCode.SOUND;
      }
    }
  }
}
