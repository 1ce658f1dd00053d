package io.holdfast.recovery.cli;

import io.holdfast.core.RegionFormatException;
import io.holdfast.recovery.Verification;
import io.holdfast.recovery.VerifyReport;
import io.holdfast.recovery.VerifyReport.RootCount;
import io.holdfast.recovery.cli.Facts.Bytes;
import io.holdfast.recovery.cli.Facts.Offset;
import io.holdfast.verification.Fault;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Whether a region is sound.
@Command(
    name = "verify",
    description = {
      "Proves a region sound, or names each fault and where it is: header, logs, allocator, roots,"
          + " and every collection to its last element.",
      "The file is not changed. One that was not closed is looked at as its next opening will make"
          + " it. The exit code is the verdict.",
      "With the program's classes by --class-path it also reads every element by them."
    })
final class VerifyCommand extends FactsCommand {
  @Mixin private ClassPath classPath;

  @Override
  ExitCode run() {
    VerifyReport report = Verification.verify(file(), classPath.classes(), progress());
    if (report.bytes() == 0) {
      throw new RegionFormatException(
          file()
              + ": the file is empty: its opening makes a new store, and there is nothing to"
              + " verify");
    }
    print(facts(report));
    remark(report.summary());
    return switch (report.verdict()) {
      case SOUND -> ExitCode.SOUND;
      case RECOVERABLE -> {
        remark("its next opening makes it sound: " + command("recover"));
        yield ExitCode.RECOVERABLE;
      }
      case UNREADABLE -> {
        remark(
            "the file is sound, and the classes can't read some elements; removeUnreadable of the"
                + " collection moves them out");
        yield ExitCode.INCOMPLETE;
      }
      case DAMAGED -> {
        remark("next: " + command("salvage", Refusals.quoted(file()) + ".salvaged"));
        yield ExitCode.DAMAGED;
      }
    };
  }

  private static Facts facts(VerifyReport report) {
    return new Facts()
        .put("file", report.file())
        .put("verdict", report.verdict().name().toLowerCase(Locale.ROOT))
        .put("wasOpen", report.wasOpen())
        .put("length", new Bytes(report.bytes()))
        .put("blocks", report.blocks())
        .put("live", new Bytes(report.liveBytes()))
        .put("duration", report.duration())
        .put("roots", report.roots().stream().map(VerifyCommand::facts).toList())
        .put("faultsFound", report.faultsFound())
        .put("faults", report.faults().stream().map(VerifyCommand::facts).toList());
  }

  private static Facts facts(RootCount root) {
    return new Facts()
        .put("name", root.name())
        .put("kind", root.kind())
        .put("entries", root.entries());
  }

  private static Facts facts(Fault fault) {
    return new Facts()
        .put("severity", fault.severity().name().toLowerCase(Locale.ROOT))
        .put("offset", new Offset(fault.offset()))
        .put("path", fault.path())
        .put("message", fault.message());
  }
}
