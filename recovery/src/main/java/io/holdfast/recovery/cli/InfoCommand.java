package io.holdfast.recovery.cli;

import io.holdfast.core.RecoveryReport;
import io.holdfast.core.memory.OpeningRecord;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionHeader.State;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.recovery.RegionInfo;
import io.holdfast.recovery.RegionInfo.RootInfo;
import io.holdfast.recovery.RegionView;
import io.holdfast.recovery.cli.Facts.Bytes;
import io.holdfast.recovery.cli.Facts.Offset;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// What a region is.
@Command(
    name = "info",
    description = {
      "Shows what a region is: both copies of its header, its size and what it is used for, its"
          + " roots, and what its next opening would do.",
      "The file is not changed, and may be in use."
    })
final class InfoCommand extends LookCommand {
  @Option(
      names = "--last-crash",
      description = {
        "shows what each thread's open section had done when the process died; the next opening",
        "recovers and forgets it"
      })
  private boolean lastCrash;

  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "100",
      description = "with --last-crash: the last N stores of each section (default: 100)")
  private long entriesMax;

  @Option(
      names = "--count",
      description = "counts the entries of large sorted maps too, which takes a look at each leaf")
  private boolean count;

  @Override
  ExitCode run() {
    checkRange("--entries", entriesMax, 0, Long.MAX_VALUE);
    try (RegionView view = RegionView.open(file())) {
      if (lastCrash) {
        print(LastCrash.facts(view, entriesMax));
        remarkInUse(view);
        remarkNoCrash(view);
        return ExitCode.SOUND;
      }
      RegionInfo info = count ? RegionInfo.counted(view) : RegionInfo.of(view);
      print(WorkFacts.added(facts(info), view.recovered()));
      remarkInUse(view);
      if (view.mayMixMoments()) {
        remark(
            "the system went down while the region was open, or the file is a copy, as far as is"
                + " known: its pages may be of different moments, and what is shown may be wrong;"
                + " its next opening verifies it first: "
                + command("verify"));
      }
      if (view.needsRecovery()) {
        remark(
            "the region was not closed; what is shown is as its next opening will make it: "
                + command("log"));
      }
      return ExitCode.SOUND;
    }
  }

  private void remarkNoCrash(RegionView view) {
    if (view.header().state() == State.CLOSED) {
      remark(
          view.opening()
              .map(OpeningRecord::recovered)
              .map(
                  "the region is closed; its last crash was recovered at %s, which forgot it"
                      ::formatted)
              .orElse("the region is closed; nothing of a crash is in it"));
    }
  }

  private static Facts facts(RegionInfo info) {
    return new Facts()
        .put("file", info.path())
        .put("state", state(info))
        .put("holder", info.holder().orElse(null))
        .put("identity", info.identity())
        .put("format", info.header().format())
        .put("length", new Bytes(info.header().length()))
        .put("fileLength", new Bytes(info.fileBytes()))
        .put("spanSize", new Bytes(RegionLayout.SPAN_BYTES))
        .put("headers", info.copies().stream().map(InfoCommand::facts).toList())
        .put("durability", durability(info))
        .put("lastOpened", info.opening().map(OpeningRecord::opened).orElse(null))
        .put("lastRecovered", info.opening().map(OpeningRecord::recovered).orElse(null))
        .put(
            "lastRecovery",
            info.opening().map(OpeningRecord::recovery).map(InfoCommand::facts).orElse(null))
        .put("nextOpening", facts(info.recovery()))
        .put("space", facts(info.spaces()))
        .put("roots", info.roots().stream().map(InfoCommand::facts).toList());
  }

  private static String durability(RegionInfo info) {
    return info.opening().map(each -> each.durability().name()).orElse(null);
  }

  private static String state(RegionInfo info) {
    return info.header().state() == State.CLOSED
        ? "closed"
        : info.holder().isPresent() ? "in use" : "not closed";
  }

  private static Facts facts(RegionHeader.Copy copy) {
    return new Facts()
        .put("offset", new Offset(copy.offset()))
        .put("valid", copy.isValid())
        .put("sequence", copy.isValid() ? copy.sequence() : null)
        .put("state", copy.isValid() ? copy.state().name().toLowerCase(Locale.ROOT) : null)
        .put("length", copy.isValid() ? new Bytes(copy.length()) : null);
  }

  static Facts facts(RecoveryReport report) {
    return new Facts()
        .put("outcome", report.outcome().name().toLowerCase(Locale.ROOT))
        .put("logsScanned", report.logsScanned())
        .put("sectionsKept", report.sectionsKept())
        .put("sectionsUndone", report.sectionsUndone())
        .put("entriesUndone", report.entriesUndone())
        .put("duration", report.duration());
  }

  private static Facts facts(Map<Use, Long> spaces) {
    return new Facts()
        .put("slabs", new Bytes(spaces.get(Use.SLAB)))
        .put("largeBlocks", new Bytes(spaces.get(Use.LARGE)))
        .put("logs", new Bytes(spaces.get(Use.LOG_CHUNK) + spaces.get(Use.LOG_GROUP)))
        .put("free", new Bytes(spaces.get(Use.FREE)));
  }

  static Facts facts(RootInfo root) {
    return new Facts()
        .put("name", root.name())
        .put("kind", root.kind())
        .put("entries", root.entries().isPresent() ? root.entries().getAsLong() : null)
        .put("created", root.created())
        .put("firstBlock", new Offset(root.firstBlock()))
        .put("codec", root.codec());
  }
}
