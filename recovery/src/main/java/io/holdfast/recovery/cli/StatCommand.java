package io.holdfast.recovery.cli;

import io.holdfast.StoreMXBean;
import io.holdfast.recovery.cli.Facts.Bytes;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// What a store in use is doing, in a line for each look.
@Command(
    name = "stat",
    description = {
      "Shows what a store in use is doing: its length, sections that became durable, sections that"
          + " are open, sections that have ended and wait for these, fences, changes to"
          + " collections, these as rates between two looks; calls of resumables, and jobs, that"
          + " are not finished.",
      "Reached by attaching to the process that has it open."
    })
final class StatCommand extends LiveCommand {
  private static final String HEAD = "%10s %14s %6s %14s %9s %17s %12s %14s %11s %5s%n";

  @Option(
      names = "--follow",
      description = "in place of one look goes on until it is interrupted or the store is closed")
  private boolean follow;

  private record Seen(
      long nanos,
      long length,
      long sections,
      int open,
      long longestMillis,
      long waiting,
      long longestWaitMillis,
      long fences,
      long changes,
      long unfinished,
      long jobs)
      implements Look {}

  @Override
  long defaultCount() {
    return follow ? Long.MAX_VALUE : 1;
  }

  @Override
  Look look(StoreMXBean bean) {
    var open = bean.getSectionsOpen();
    var waiting = bean.getSectionsWaiting();
    return new Seen(
        System.nanoTime(),
        bean.getLengthBytes(),
        bean.getSectionsDurable(),
        open.size(),
        open.stream().mapToLong(StoreMXBean.OpenSectionState::openMillis).max().orElse(-1),
        waiting.sections(),
        waiting.longestMillis(),
        bean.getFences(),
        bean.getRoots().stream().mapToLong(root -> Math.max(0, root.changes())).sum(),
        bean.getUnfinishedCalls(),
        bean.getJobs().stream().filter(job -> !job.finished()).count());
  }

  @Override
  void show(Look before, Look now) {
    Seen seen = (Seen) now;
    if (before == null) {
      if (!isJson() && !isPlain()) {
        out()
            .printf(
                Locale.ROOT,
                HEAD,
                "length",
                "sections/s",
                "open",
                "longest (ms)",
                "waiting",
                "longest wait (ms)",
                "fences/s",
                "changes/s",
                "unfinished",
                "jobs");
        out().flush();
      }
      return;
    }
    Seen last = (Seen) before;
    double seconds = (now.nanos() - before.nanos()) / 1e9;
    long sections = rate(seen.sections - last.sections, seconds);
    long fences = rate(seen.fences - last.fences, seconds);
    long changes = rate(seen.changes - last.changes, seconds);
    if (isJson() || isPlain()) {
      print(
          new Facts()
              .put("length", new Bytes(seen.length))
              .put("sectionsPerSecond", sections)
              .put("sectionsOpen", seen.open)
              .put("longestOpenMillis", seen.longestMillis < 0 ? null : seen.longestMillis)
              .put("sectionsWaiting", seen.waiting)
              .put("longestWaitMillis", seen.longestWaitMillis)
              .put("fencesPerSecond", fences)
              .put("changesPerSecond", changes)
              .put("unfinishedCalls", seen.unfinished)
              .put("unfinishedJobs", seen.jobs));
    } else {
      out()
          .printf(
              Locale.ROOT,
              HEAD,
              new Bytes(seen.length),
              sections,
              seen.open,
              seen.longestMillis < 0 ? "-" : seen.longestMillis,
              seen.waiting,
              seen.longestWaitMillis,
              fences,
              changes,
              seen.unfinished,
              seen.jobs);
    }
    out().flush();
  }

  static long rate(long count, double seconds) {
    return Math.round(count / seconds);
  }
}
