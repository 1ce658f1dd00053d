package io.holdfast.recovery.cli;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.recovery.LiveStore;
import io.holdfast.recovery.Progress;
import io.holdfast.recovery.RegionView;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// A command on a region's file.
///
/// A command is a small class: it asks the library, prints the answer, and returns an {@link
/// ExitCode}. What it throws is for {@link Refusals}.
abstract class RegionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "the region's file")
  private Path file;

  /// Whether it shows what is in a file that nobody had open.
  private boolean isLookingAtRest;

  @Override
  public final Integer call() throws Exception {
    for (int attempt = 1; ; attempt++) {
      byte[] before = beginning();
      isLookingAtRest = false;
      try {
        ExitCode code = run();
        out().flush();
        if (isLookingAtRest && isChangedSince(before)) {
          remark(
              "the store was opened while it was looked at: what is shown may be of different"
                  + " moments");
        }
        return code.number();
      } catch (Refusal | RegionLockedException e) {
        throw e;
      } catch (UndeclaredThrowableException e) {
        throw new Refusal(
            ExitCode.REFUSED,
            file + ": the store was closed meanwhile, or its process ended",
            command("info"),
            e);
      } catch (RuntimeException | InternalError e) {
        if (!isInUse() && !(isOnlyRead() && isChangedSince(before))) {
          throw e;
        }
        if (attempt >= attemptsInUse()) {
          throw moving(e);
        }
      }
    }
  }

  /// How often it is tried to look at a store that is in use and changes meanwhile: more than once
  /// only by a command that prints nothing before it has seen all.
  int attemptsInUse() {
    return 1;
  }

  /// Whether the command leaves the file to others to change.
  boolean isOnlyRead() {
    return true;
  }

  private boolean isChangedSince(byte[] before) {
    return !Arrays.equals(before, beginning());
  }

  /// The file's header, which each opening and closing changes; nothing if that can't be read.
  private byte[] beginning() {
    if (file == null || !Files.isRegularFile(file)) {
      return new byte[0];
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(2 * RegionLayout.PAGE_BYTES);
    } catch (IOException e) {
      return new byte[0]; // the command itself says more
    }
  }

  private boolean isInUse() {
    try {
      return file != null && RegionFile.holder(file) != null;
    } catch (HoldfastException e) {
      return false; // there is no such file, or worse: what was thrown says more
    }
  }

  /// What was read of a store that goes on storing need not fit together.
  private Refusal moving(Throwable cause) {
    return new Refusal(
        ExitCode.IN_USE,
        "%s: the store is in use, or was meanwhile, and changed while it was read%s. Try again, or look at a backup of it"
            .formatted(
                file, cause instanceof RegionAccessException ? ": " + cause.getMessage() : ""),
        nextIfInUse(),
        cause);
  }

  /// What to type for want of the region itself, which is in use: a backup can be looked at.
  String nextIfInUse() {
    return command("backup", Refusals.quoted(file) + ".backup");
  }

  /// What to type when the region is damaged.
  String nextIfDamaged() {
    return command("salvage", Refusals.quoted(file) + ".salvaged");
  }

  /// Does what the command is for.
  abstract ExitCode run() throws Exception;

  /// Reaches the process that has the store open.
  ///
  /// @param again what to type to try again
  final LiveStore reach(String again) {
    return live(holder().orElseThrow(this::closed), command(again));
  }

  /// Which process has the store open. Nothing of the region is read for it, which may be changing
  /// faster than it can be.
  final Optional<String> holder() {
    return Optional.ofNullable(RegionFile.holder(file));
  }

  /// Reaches a process that has the store open.
  ///
  /// @param again the command to type to try again
  final LiveStore live(String holder, String again) {
    LiveStore store;
    try {
      store = LiveStore.of(file, holder);
    } catch (RegionAccessException e) { // it may have ended meanwhile
      throw isInUse() ? new Refusal(ExitCode.REFUSED, e.getMessage(), again, e) : closed();
    }
    if (store == null) {
      throw new Refusal(
          ExitCode.REFUSED,
          "%s: the process that has the store open tells nothing of it: %s. It does so from a second after the opening on"
              .formatted(file, holder),
          again);
    }
    return store;
  }

  private Refusal closed() {
    return new Refusal(
        ExitCode.REFUSED,
        file + ": no process has the store open" + insteadOfTheProcess(),
        command("info"));
  }

  /// Where else to look when no process has the store open, as the end of a sentence; empty if
  /// nowhere.
  String insteadOfTheProcess() {
    return "";
  }

  /// The region's file, as it was typed.
  final Path file() {
    return file;
  }

  /// The file that the command makes; of one that makes none, the region's.
  Path made() {
    return file;
  }

  /// What the command is called.
  final String name() {
    return spec.name();
  }

  /// Refuses an option's number that is out of range.
  ///
  /// @param found `null` if the option was not given
  final void checkRange(String option, Long found, long min, long max) {
    if (found != null && (found < min || found > max)) {
      throw new Refusal(
          ExitCode.USAGE,
          "%s is out of range: found=%d, min=%d, max=%d".formatted(option, found, min, max),
          "holdfast %s --help".formatted(name()));
    }
  }

  /// Where results go, and nothing else.
  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /// Says something that is no result, on standard error.
  final void remark(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("holdfast: " + text);
    err.flush();
  }

  /// Says that what was shown is of a store in use, if it is.
  final void remarkInUse(RegionView view) {
    isLookingAtRest = view.holder().isEmpty();
    view.holder()
        .ifPresent(
            holder ->
                remark(
                    "the store is in use (%s): what is shown may be of different moments"
                        .formatted(holder)));
  }

  /// Shows how far long work has come, where somebody sees it.
  final Progress progress() {
    return ProgressBars.ofTerminal();
  }

  /// A command on this file, as it can be typed.
  final String command(String name, String... arguments) {
    String start = "holdfast " + name + " " + Refusals.quoted(file);
    return arguments.length == 0 ? start : start + " " + String.join(" ", arguments);
  }
}
