package io.holdfast.recovery.cli;

import io.holdfast.core.RecoveryReport;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionHeader.State;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.recovery.RegionInfo;
import io.holdfast.recovery.RegionInfo.RootInfo;
import io.holdfast.recovery.RegionView;
import io.holdfast.recovery.cli.Facts.Bytes;
import io.holdfast.recovery.cli.Facts.Offset;
import java.util.Map;
import picocli.CommandLine.Command;

/// What a region is.
@Command(
    name = "info",
    description = {
      "Shows what a region is: both copies of its header, its size and what it is used for, its"
          + " roots, and what its next opening would do.",
      "The file is not changed, and may be in use."
    })
final class InfoCommand extends RegionCommand {
  @Override
  ExitCode run() {
    try (RegionView view = RegionView.open(file())) {
      RegionInfo info = RegionInfo.of(view);
      print(facts(info));
      remarkInUse(view);
      if (view.needsRecovery()) {
        remark(
            "the region was not closed; what is shown is as its next opening will make it: "
                + command("log"));
      }
      return ExitCode.SOUND;
    }
  }

  private static Facts facts(RegionInfo info) {
    return new Facts()
        .put("file", info.path())
        .put("state", state(info))
        .put("holder", info.holder().orElse(null))
        .put("identity", info.identity())
        .put("format", RegionHeader.FORMAT_VERSION)
        .put("length", new Bytes(info.header().length()))
        .put("fileLength", new Bytes(info.fileBytes()))
        .put("spanSize", new Bytes(RegionLayout.SPAN_BYTES))
        .put("headers", info.copies().stream().map(InfoCommand::facts).toList())
        .put("nextOpening", facts(info.recovery()))
        .put("space", facts(info.spaces()))
        .put("roots", info.roots().stream().map(InfoCommand::facts).toList());
  }

  private static String state(RegionInfo info) {
    return info.header().state() == State.CLOSED
        ? "closed"
        : info.holder().isPresent() ? "in use" : "not closed";
  }

  private static Facts facts(RegionHeader.Copy copy) {
    Facts facts =
        new Facts()
            .put("offset", new Offset(copy.offset()))
            .put("valid", copy.isValid())
            .put("sequence", copy.isValid() ? copy.sequence() : null)
            .put("state", copy.isValid() ? copy.state().name().toLowerCase() : null)
            .put("length", copy.isValid() ? new Bytes(copy.length()) : null);
    return facts;
  }

  static Facts facts(RecoveryReport report) {
    return new Facts()
        .put("outcome", report.outcome().name().toLowerCase())
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
