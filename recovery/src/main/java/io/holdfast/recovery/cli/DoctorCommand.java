package io.holdfast.recovery.cli;

import io.holdfast.recovery.DiskCheck;
import io.holdfast.recovery.DiskCheck.Means;
import picocli.CommandLine.Command;

/// What a directory's disk promises.
@Command(
    name = "doctor",
    description = {
      "Says what stores in a directory, DIR, can be promised: what kind of file system and device"
          + " it is on, whether a loss of power is survived there, and what a commit costs. Makes a"
          + " file and a store there, and deletes them. Takes some seconds."
    })
final class DoctorCommand extends FactsCommand {
  @Override
  ExitCode run() {
    DiskCheck check = DiskCheck.of(file());
    print(
        new Facts()
            .put("directory", check.directory())
            .put("fileSystem", check.fileSystem())
            .put("device", check.device())
            .put("writeCache", check.writeCache())
            .put("directWrites", check.isDirect())
            .put("processCrash", "survived")
            .put("powerFailure", powerFailure(check))
            .put("durableWrite", check.write())
            .put("slowDurableWrite", check.slowWrite())
            .put("commit", check.commit())
            .put("commitsPerSecondBy64Threads", check.commitsPerSecond())
            .put("doubts", check.doubts()));
    return check.doubts().isEmpty() ? ExitCode.SOUND : ExitCode.REFUSED;
  }

  private static String powerFailure(DiskCheck check) {
    return check.means() == Means.NONE
        ? "refused"
        : "survived by "
            + (check.means() == Means.LOG ? "a log" : "write-backs")
            + (check.doubts().isEmpty() ? "" : ", if the doubts are wrong");
  }
}
