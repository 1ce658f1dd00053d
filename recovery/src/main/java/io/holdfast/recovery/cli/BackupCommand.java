package io.holdfast.recovery.cli;

import io.holdfast.StoreMXBean.BackupState;
import io.holdfast.core.HoldfastException;
import io.holdfast.recovery.FileBackup;
import io.holdfast.recovery.LiveStore;
import io.holdfast.recovery.cli.Facts.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// A copy of a region.
@Command(
    name = "backup",
    description = {
      "Makes a closed copy of what is in a region, which verify proves; the region is not changed.",
      "A store in use makes it itself, asked by attaching to its process: a consistent cut, for"
          + " which stores wait some milliseconds."
    })
final class BackupCommand extends FactsCommand {
  @Parameters(index = "1", paramLabel = "NEW", description = "the copy, which must not exist")
  private Path to;

  @Option(
      names = "--rate",
      paramLabel = "MIB",
      description = "of a store in use, no more MiB a second than this")
  private Long rate;

  @Override
  Path made() {
    return to;
  }

  @Override
  ExitCode run() throws IOException {
    checkRange("--rate", rate, 1, 1 << 30);
    Optional<String> holder = holder();
    if (holder.isPresent()) {
      try {
        backup(holder.get());
      } catch (HoldfastException e) { // not of a look at what moves
        throw Refusals.asRefusal(e, this);
      } catch (IllegalStateException e) {
        throw new Refusal(ExitCode.IN_USE, e.getMessage(), command("stat"), e); // another backup
      }
    } else {
      long bytes = FileBackup.backup(file(), to, progress());
      print(new Facts().put("file", file()).put("backup", to).put("length", new Bytes(bytes)));
    }
    remark("next: holdfast verify " + Refusals.quoted(to));
    return ExitCode.SOUND;
  }

  private void backup(String holder) throws IOException {
    try (LiveStore store = live(holder, command("backup", Refusals.quoted(to)))) {
      long bytesPerSecond = rate == null ? Long.MAX_VALUE : rate << 20;
      BackupState state = store.bean().backup(to.toAbsolutePath().toString(), bytesPerSecond);
      print(
          new Facts()
              .put("file", file())
              .put("backup", to)
              .put("length", new Bytes(state.bytes()))
              .put("copied", new Bytes(state.copied()))
              .put("rounds", state.rounds())
              .put("storesHeld", Duration.of(state.heldMicros(), ChronoUnit.MICROS))
              .put("duration", Duration.ofMillis(state.millis())));
    }
  }
}
