package io.holdfast.recovery.cli;

import io.holdfast.StoreMXBean;
import io.holdfast.StoreMXBean.JobState;
import io.holdfast.StoreMXBean.OpenSectionState;
import io.holdfast.StoreMXBean.RootState;
import io.holdfast.StoreMXBean.WaitingState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/// The busiest collections and locks of a store in use.
@Command(
    name = "top",
    description = {
      "Shows the busiest collections of a store in use, by changes a second, and the locks and"
          + " threads in whose sections the most time goes, by sampling open sections; and the"
          + " thread that most sections wait for which have ended; and jobs, with their states of"
          + " the last cut.",
      "Reached by attaching to the process that has it open."
    })
final class TopCommand extends LiveCommand {
  /// Samples of open sections at a look: each is a call of some 200 µs.
  private static final int SAMPLES = 50;

  private record Seen(
      long nanos,
      List<RootState> roots,
      Map<String, Integer> locks,
      Map<String, Integer> threads,
      WaitingState waiting,
      List<JobState> jobs)
      implements Look {}

  @Override
  long defaultCount() {
    return 1;
  }

  @Override
  Look look(StoreMXBean bean) throws InterruptedException {
    Map<String, Integer> locks = new HashMap<>();
    Map<String, Integer> threads = new HashMap<>();
    long pauseMillis = Math.max(1, (long) (intervalSeconds() * 1_000 / SAMPLES / 2));
    for (int i = 0; i < SAMPLES; i++) {
      for (OpenSectionState open : bean.getSectionsOpen()) {
        locks.merge(open.lock().isEmpty() ? "(not known)" : open.lock(), 1, Integer::sum);
        threads.merge(open.thread(), 1, Integer::sum);
      }
      Thread.sleep(pauseMillis);
    }
    return new Seen(
        System.nanoTime(),
        bean.getRoots(),
        locks,
        threads,
        bean.getSectionsWaiting(),
        bean.getJobs());
  }

  @Override
  void show(Look before, Look now) {
    if (before == null) {
      return;
    }
    Seen seen = (Seen) now;
    double seconds = (now.nanos() - before.nanos()) / 1e9;
    print(
        new Facts()
            .put("roots", roots((Seen) before, seen, seconds))
            .put("locks", shares("lock", seen.locks))
            .put("threads", shares("thread", seen.threads))
            .put("waiting", waiting(seen.waiting))
            .put("jobs", jobs((Seen) before, seen, seconds)));
    out().flush();
  }

  private static List<Facts> jobs(Seen before, Seen now, double seconds) {
    Map<String, Long> earlier = new HashMap<>();
    before.jobs.forEach(job -> earlier.put(job.name(), job.changes()));
    return now.jobs.stream()
        .map(
            job ->
                new Facts()
                    .put("name", job.name())
                    .put("state", job.state())
                    .put("finished", job.finished())
                    .put("cuts", job.cuts())
                    .put("changes", job.changes())
                    .put(
                        "changesPerSecond",
                        StatCommand.rate(
                            job.changes() - earlier.getOrDefault(job.name(), 0L), seconds))
                    .put("sinceCutMillis", job.sinceCutMillis()))
        .toList();
  }

  private static List<Facts> waiting(WaitingState waiting) {
    return waiting.sections() == 0
        ? List.of()
        : List.of(
            new Facts()
                .put("sectionsWaiting", waiting.sections())
                .put("longestWaitMillis", waiting.longestMillis())
                .put("blocker", waiting.blocker())
                .put(
                    "lock", waiting.blockerLock().isEmpty() ? "(not known)" : waiting.blockerLock())
                .put("waiters", waiting.waiters()));
  }

  private static List<Facts> roots(Seen before, Seen now, double seconds) {
    Map<String, Long> earlier = new HashMap<>();
    before.roots.forEach(root -> earlier.put(root.name(), root.changes()));
    record Rate(RootState root, long perSecond) {}
    List<Rate> rates = new ArrayList<>();
    for (RootState root : now.roots) {
      long last = earlier.getOrDefault(root.name(), -1L);
      rates.add(
          new Rate(
              root,
              root.changes() < 0 || last < 0
                  ? 0
                  : StatCommand.rate(root.changes() - last, seconds)));
    }
    rates.sort(Comparator.comparingLong(Rate::perSecond).reversed());
    return rates.stream()
        .map(
            rate ->
                new Facts()
                    .put("name", rate.root.name())
                    .put("kind", rate.root.kind())
                    .put("entries", rate.root.entries() < 0 ? null : rate.root.entries())
                    .put("changesPerSecond", rate.perSecond))
        .toList();
  }

  /// In how many samples each was seen, in percent.
  private static List<Facts> shares(String what, Map<String, Integer> samples) {
    return samples.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(10)
        .map(
            each ->
                new Facts()
                    .put(what, each.getKey())
                    .put("openPercent", Math.round(100.0 * each.getValue() / SAMPLES)))
        .toList();
  }
}
