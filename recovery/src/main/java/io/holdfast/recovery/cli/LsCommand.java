package io.holdfast.recovery.cli;

import io.holdfast.recovery.RegionInfo;
import io.holdfast.recovery.RegionView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The roots of a region.
@Command(
    name = "ls",
    description = {
      "Lists the collections of a region, oldest first, and calls of resumables that are not"
          + " finished: the first 20 of each that are found; and jobs, with their states.",
      "The file is not changed, and may be in use."
    })
final class LsCommand extends LookCommand {
  @Option(
      names = "--count",
      description = "counts the entries of large sorted maps too, which takes a look at each leaf")
  private boolean count;

  @Override
  ExitCode run() {
    try (RegionView view = RegionView.open(file())) {
      RegionInfo info = count ? RegionInfo.counted(view) : RegionInfo.of(view);
      Facts facts =
          new Facts().put("roots", info.roots().stream().map(InfoCommand::facts).toList());
      print(WorkFacts.added(facts, view.recovered()));
      remarkInUse(view);
      return ExitCode.SOUND;
    }
  }
}
