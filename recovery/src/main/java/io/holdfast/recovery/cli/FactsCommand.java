package io.holdfast.recovery.cli;

import picocli.CommandLine.Option;

/// A command whose answer is {@link Facts}, in the form that was asked for.
abstract class FactsCommand extends RegionCommand {
  @Option(names = "--json", description = "prints JSON")
  private boolean json;

  @Option(
      names = "--plain",
      description = "prints a line for each value: its name, a tab, the value")
  private boolean plain;

  final boolean isJson() {
    return json;
  }

  final boolean isPlain() {
    return plain;
  }

  /// Prints results in the form that was asked for.
  final void print(Facts facts) {
    Output output = json ? new JsonOutput() : plain ? new PlainOutput() : new TableOutput();
    output.print(facts, out());
  }
}
