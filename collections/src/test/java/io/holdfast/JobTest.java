package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Long work that goes on where it was: its states, cuts and exceptions.
@Timeout(60)
@ExtendWith(QuietRecoveries.class)
class JobTest {
  record Cursor(int line) {}

  /// What the same became in a later version of the program.
  record LongerCursor(int line, String file) {}

  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final Job.Options EACH = new Job.Options(1, Duration.ofHours(1));
  private static final Job.Options IN_FOURS = new Job.Options(4, Duration.ofHours(1));

  @TempDir private Path directory;

  private RecordingMemory memory = new RecordingMemory();
  private Holdfast store = Holdfast.over(memory);

  @AfterEach
  void close() {
    store.close();
  }

  /// For threads that run at once, which a recorded memory is not for.
  private void onFile() {
    store.close();
    store = Holdfast.open(directory.resolve("jobs.hf"));
  }

  private Map<Integer, Integer> counts() {
    return store.hashMap("counts", Integer.class, Integer.class);
  }

  private Cursor run(Job.Options options, BiConsumer<Cursor, Job<Cursor>> body) {
    return store.job("load", Cursor.class, new Cursor(0), options, body);
  }

  /// Counts each line, and stops before one.
  private void load(Cursor from, Job<Cursor> job, int stop) {
    for (int line = from.line(); line < 10; line++) {
      if (line == stop) {
        throw new Stopped();
      }
      counts().merge(line, 1, Integer::sum);
      job.at(new Cursor(line + 1));
    }
  }

  private void load(Cursor from, Job<Cursor> job) {
    load(from, job, 10);
  }

  private void assertAllOnce() {
    assertThat(counts()).hasSize(10);
    assertThat(counts().values()).containsOnly(1);
  }

  private Job.Progress progress() {
    return store.jobs().getFirst();
  }

  private void kill() {
    memory = memory.copy();
    store.close();
    store = Holdfast.over(memory);
  }

  @Test
  void j1AnExceptionLeavesWhatIsBeforeTheLastCut() {
    assertThatThrownBy(() -> run(IN_FOURS, (from, job) -> load(from, job, 6)))
        .isInstanceOf(Stopped.class);
    assertThat(counts()).containsOnlyKeys(0, 1, 2, 3);
    assertThat(progress())
        .extracting(
            Job.Progress::name,
            Job.Progress::state,
            Job.Progress::isFinished,
            Job.Progress::cuts,
            Job.Progress::changes)
        .containsExactly("load", Map.of("line", 4), false, 1L, 4L);

    List<Integer> begun = new ArrayList<>();
    Cursor end =
        run(
            IN_FOURS,
            (from, job) -> {
              begun.add(from.line());
              load(from, job);
            });

    assertThat(end).isEqualTo(new Cursor(10));
    assertThat(begun).containsExactly(4);
    assertAllOnce();
  }

  @Test
  void whatIsBehindTheLastSafePointBelongsToTheEnd() {
    run(
        IN_FOURS,
        (from, job) -> {
          load(from, job);
          counts().put(99, 1);
        });
    kill();
    assertThat(counts()).hasSize(11).containsKey(99);
    assertThat(progress().isFinished()).isTrue();
    assertThat(progress().changes()).isEqualTo(11);
    assertThat(progress().cuts()).isEqualTo(3);
  }

  @Test
  void aFinishedJobStaysSoUntilItIsDeleted() {
    run(IN_FOURS, this::load);
    kill();

    assertThat(run(IN_FOURS, this::load)).isEqualTo(new Cursor(10));
    assertAllOnce();

    assertThat(store.delete("load")).isTrue();
    assertThat(store.jobs()).isEmpty();
    run(IN_FOURS, this::load);
    assertThat(counts().values()).containsOnly(2);
  }

  @Test
  void aBodyThatTellsNothingIsOneTransaction() {
    assertThatThrownBy(
            () ->
                run(
                    EACH,
                    (_, _) -> {
                      counts().put(1, 1);
                      throw new Stopped();
                    }))
        .isInstanceOf(Stopped.class);
    assertThat(counts()).isEmpty();
    assertThat(run(EACH, (_, _) -> counts().put(1, 1))).isEqualTo(new Cursor(0));
    assertThat(counts()).hasSize(1);
  }

  @Test
  void aJobIsCutByTime() {
    run(
        new Job.Options(Long.MAX_VALUE, Duration.ofNanos(1)),
        (from, job) -> {
          load(from, job);
          assertThat(progress().cuts()).isEqualTo(10);
        });
    assertAllOnce();
  }

  /// The body is begun again with the last cut, and what it did since then is done once.
  @Test
  void aConflictHasTheBodyBegunAgain() {
    List<Integer> begun = new ArrayList<>();
    run(
        IN_FOURS,
        (from, job) -> {
          begun.add(from.line());
          for (int line = from.line(); line < 10; line++) {
            counts().merge(line, 1, Integer::sum);
            counts().merge(100, 1, Integer::sum);
            if (line == 5 && begun.size() == 1) {
              elsewhere(() -> counts().merge(100, 1_000, Integer::sum));
            }
            job.at(new Cursor(line + 1));
          }
        });
    assertThat(begun).containsExactly(0, 4);
    assertThat(counts().remove(100)).isEqualTo(1_010);
    assertAllOnce();
  }

  private static void elsewhere(Runnable action) {
    try {
      CompletableFuture.runAsync(action).get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /// Eight runs in vain, of each part, and then one that locks.
  @Test
  void aJobWhoseReadingsAlwaysChangeEnds() throws Exception {
    onFile();
    CompletableFuture<Void> end = new CompletableFuture<>();
    counts().put(100, 0);
    CompletableFuture<Integer> others =
        CompletableFuture.supplyAsync(
            () -> {
              int times = 0;
              for (; !end.isDone(); times++) {
                counts().merge(100, 1, Integer::sum);
              }
              return times;
            });
    run(
        IN_FOURS,
        (from, job) -> {
          for (int line = from.line(); line < 10; line++) {
            counts().merge(line, 1, Integer::sum);
            counts().merge(100, 1, Integer::sum);
            job.at(new Cursor(line + 1));
          }
        });
    end.complete(null);
    int times = others.get(30, TimeUnit.SECONDS); // before the look, which its last one may follow
    assertThat(counts().remove(100)).isEqualTo(times + 10);
    assertAllOnce();
  }

  @Test
  void onDurableIsDoneWithTheCut() {
    List<String> done = new ArrayList<>();
    assertThatThrownBy(
            () ->
                run(
                    EACH,
                    (from, job) -> {
                      counts().put(1, 1);
                      store.onDurable(() -> done.add("first"));
                      job.at(new Cursor(1));
                      counts().put(2, 1);
                      store.onDurable(() -> done.add("second"));
                      throw new Stopped();
                    }))
        .isInstanceOf(Stopped.class);
    store.close(); // waits for actions
    assertThat(done).containsExactly("first");
  }

  @Test
  void aSafePointThatWouldDivideSomethingIsRefused() {
    List<Runnable> blocks = new ArrayList<>();
    run(
        EACH,
        (_, job) -> {
          Runnable point = () -> job.at(new Cursor(1));
          blocks.add(() -> store.transaction(point));
          blocks.add(() -> store.atomically(point));
          blocks.add(() -> store.relaxed(point));
          blocks.add(() -> store.allOrNothing(point));
          for (Runnable block : blocks) {
            counts().put(1, 1);
            assertThatThrownBy(block::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("load: a safe point is told in a section or transaction");
          }
          assertThatThrownBy(() -> elsewhereThrowing(point))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("from another thread");
          blocks.add(point);
        });
    assertThatThrownBy(() -> blocks.getLast().run())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("after the body");
  }

  private static void elsewhereThrowing(Runnable action) throws Throwable {
    try {
      CompletableFuture.runAsync(action).get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  @Test
  void whatIsNotAllowedIsSaid() {
    assertThatThrownBy(() -> store.atomically(() -> run(EACH, this::load)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("job load is called inside of a section");
    assertThatThrownBy(() -> run(EACH, (_, _) -> elsewhereCalled()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("job load is running");
    assertThatThrownBy(() -> run(EACH, (_, job) -> job.at(null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("state");
    assertThatThrownBy(() -> store.job("load", String.class, "", (_, _) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the job \"load\" cannot be opened with these types");
    assertThatThrownBy(() -> store.hashMap("load", Long.class, Long.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"load\" is a job of");
    assertThatThrownBy(() -> store.rename("load", "other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"load\" belongs to a resumable or a job");
    assertThatThrownBy(() -> Job.Options.defaults().every(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a job is cut too often: changes=0, min=1; time=PT0.05S, min=1 ns");
    assertThatThrownBy(() -> Job.Options.defaults().atMost(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(store.roots()).extracting(NamedRoot::name).doesNotContain("load");
    store.close();
    assertThatThrownBy(() -> run(EACH, this::load))
        .isInstanceOf(io.holdfast.core.StoreClosedException.class);
  }

  private void elsewhereCalled() {
    try {
      elsewhereThrowing(() -> run(EACH, this::load));
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theStateMayGrow() {
    assertThatThrownBy(() -> run(EACH, (from, job) -> load(from, job, 6)))
        .isInstanceOf(Stopped.class);
    kill();

    store.job(
        "load",
        LongerCursor.class,
        new LongerCursor(0, "a"),
        (from, job) -> {
          assertThat(from).isEqualTo(new LongerCursor(6, null));
          job.at(new LongerCursor(10, "b"));
        });
  }

  /// Each has a state of its own.
  @Test
  void jobsRunAtTheSameTime() throws Exception {
    onFile();
    List<CompletableFuture<Void>> jobs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int first = i * 1_000;
      jobs.add(
          CompletableFuture.runAsync(
              () ->
                  store.job(
                      "load " + first,
                      Cursor.class,
                      new Cursor(first),
                      new Job.Options(10, Duration.ofHours(1)),
                      (from, job) -> {
                        for (int line = from.line(); line < first + 500; line++) {
                          counts().merge(line, 1, Integer::sum);
                          job.at(new Cursor(line + 1));
                        }
                      })));
    }
    for (CompletableFuture<Void> each : jobs) {
      each.get(30, TimeUnit.SECONDS);
    }
    assertThat(counts()).hasSize(2_000);
    assertThat(counts().values()).containsOnly(1);
    assertThat(store.jobs()).hasSize(4).allMatch(Job.Progress::isFinished);
  }

  @Test
  void cutsAreEvents() throws IOException {
    Instant before = Instant.now().minusMillis(1);
    Path file = directory.resolve("cuts.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.holdfast.JobCut");
      recording.start();
      run(IN_FOURS, this::load);
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> cuts =
        RecordingFile.readAllEvents(file).stream()
            .filter(each -> each.getEventType().getName().equals("io.holdfast.JobCut"))
            .toList();
    assertThat(cuts)
        .extracting(
            each -> each.getString("job"),
            each -> each.getLong("cuts"),
            each -> each.getLong("changes"),
            each -> each.getBoolean("isFinished"))
        .containsExactly(
            tuple("load", 1L, 4L, false),
            tuple("load", 2L, 4L, false),
            tuple("load", 3L, 2L, true));
    assertThat(progress().started()).isBetween(before, Instant.now());
    assertThat(progress().cut()).isBetween(progress().started(), Instant.now());
  }

  /// J1, whatever the body does with the exception of a cut that found no room.
  @Test
  void aFullDeviceLeavesTheLastCut() {
    String large = "l".repeat(50_000);
    for (boolean isSwallowed : List.of(false, true)) {
      Map<Integer, String> lines = store.hashMap("lines", Integer.class, String.class);
      String name = "load, swallowed=" + isSwallowed;
      BiConsumer<Cursor, Job<Cursor>> body =
          (from, job) -> {
            for (int i = from.line(); i < 60; i++) {
              lines.put(i, large);
              if (i == 20) {
                memory.limitTo(memory.length());
              }
              try {
                job.at(new Cursor(i + 1));
              } catch (RegionFullException e) {
                if (!isSwallowed) {
                  throw e;
                }
              }
            }
          };
      assertThatThrownBy(() -> store.job(name, Cursor.class, new Cursor(0), IN_FOURS, body))
          .isInstanceOf(HoldfastException.class);
      memory.limitTo(Long.MAX_VALUE);
      assertThat(progress(name)).isEqualTo(lines.size()).isBetween(16, 59);
      memory = memory.copy();
      store.close();
      store = Holdfast.over(memory);
      Map<Integer, String> again = store.hashMap("lines", Integer.class, String.class);
      assertThat(again).as("after a kill").hasSize(progress(name));
      again.clear();
    }
  }

  private int progress(String name) {
    Map<?, ?> state =
        (Map<?, ?>)
            store.jobs().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .state();
    return ((Number) state.get("line")).intValue();
  }

  /// Its walk has read what follows before the cut, and somebody changes that after it.
  @Test
  void j1AWalkThatIsCutLosesNoChange() {
    for (Map<Integer, Integer> map :
        List.of(counts(), store.treeMap("sorted", Integer.class, Integer.class))) {
      for (int key = 0; key < 20; key++) {
        map.put(key, 0);
      }
      int[] steps = new int[1];
      store.job(
          "walk " + map.getClass(),
          Cursor.class,
          new Cursor(0),
          EACH,
          (from, job) -> {
            assertThat(from.line()).isZero(); // nobody is in the way at the commit
            for (Map.Entry<Integer, Integer> entry : map.entrySet()) {
              entry.setValue(entry.getValue() + 1);
              job.at(new Cursor(0));
              if (++steps[0] == 5) {
                CompletableFuture.runAsync(() -> map.replaceAll((_, value) -> value + 100)).join();
              }
            }
          });
      assertThat(map.values()).containsOnly(101);
    }
  }

  @Test
  void aSafePointInsideOfAnOperation() {
    var queue = store.queue("queue", Integer.class);
    List<BiConsumer<Cursor, Job<Cursor>>> bodies =
        List.of(
            (_, job) -> counts().compute(1, (_, _) -> told(job)),
            (_, job) -> counts().merge(1, 1, (_, _) -> told(job)),
            (_, job) -> counts().replaceAll((_, _) -> told(job)),
            (_, job) -> queue.drainTo(new Telling(job)),
            (_, job) -> Transaction.orElse(() -> told(job), () -> 2),
            (_, job) -> Transaction.orElse(() -> Transaction.retry(), () -> told(job)));
    counts().put(1, 1);
    queue.add(1);
    for (BiConsumer<Cursor, Job<Cursor>> body : bodies) {
      assertThatThrownBy(() -> run(EACH, body)).isInstanceOf(IllegalStateException.class);
      assertThat(counts()).isEqualTo(Map.of(1, 1));
      assertThat(queue).containsExactly(1);
    }
  }

  private static int told(Job<Cursor> job) {
    job.at(new Cursor(1));
    return 5;
  }

  /// Tells a safe point for each element that it is given.
  private static final class Telling extends ArrayList<Integer> {
    private static final long serialVersionUID = 1L;
    private final transient Job<Cursor> job;

    Telling(Job<Cursor> job) {
      this.job = job;
    }

    @Override
    public boolean add(Integer element) {
      return super.add(told(job));
    }
  }
}
