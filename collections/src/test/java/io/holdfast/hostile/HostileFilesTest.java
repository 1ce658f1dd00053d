package io.holdfast.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdfast.Holdfast;
import io.holdfast.codec.CodecException;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.hostile.BaseRegions.Base;
import io.holdfast.hostile.HostileStore.Stage;
import io.holdfast.hostile.Mutations.Mutant;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// P8 for files that are damaged, by decay or on purpose: each is opened, or refused by an
/// exception of ours that names the file, and then not changed. Nothing hangs, nothing allocates
/// without bound, nothing throws what a caller can't expect.
///
/// `-Dholdfast.hostile=N` makes N files of each base, of which the short form looks at one in a
/// hundred, the thorough one at one in twenty; `-Dholdfast.hostile.only=BASE` at one base's,
/// `BASE/N` at one.
class HostileFilesTest {
  private static final int FILES_OF_A_BASE = Integer.getInteger("holdfast.hostile", 1_000);
  private static final String ONLY = System.getProperty("holdfast.hostile.only", "");
  private static final int STEP = ONLY.isEmpty() ? TestForm.count(100, 20) : 1;
  private static final int FAILURES_SHOWN = 60;

  /// Far more than any file needs on any machine: a hang, not a delay.
  private static final long HANG_SECONDS = 60;

  /// What opening and walking may allocate, beside what is in proportion to the file.
  private static final long ALLOCATED_MAX = 64 << 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Logger LOG = Logger.getLogger("io.holdfast");

  @TempDir private Path directory;
  private final Map<String, Integer> outcomes = new TreeMap<>();
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

  /// Fails unless an exception is one that callers see.
  static void checkIsOurs(Throwable thrown) {
    if (!(thrown instanceof HoldfastException || thrown instanceof CodecException)) {
      throw new AssertionError("not an exception of ours: " + thrown, thrown);
    }
  }

  /// Other classes run in this JVM, and some look at what is told.
  @AfterEach
  void tellAgain() {
    LOG.setLevel(null);
    Thread.setDefaultUncaughtExceptionHandler(null);
  }

  /// Shows ROOT-5.
  @Test
  void p8DamagedFiles() throws Exception {
    LOG.setLevel(Level.OFF);
    Thread.setDefaultUncaughtExceptionHandler( // of what is done in the background
        (thread, thrown) -> failures.add(thread + ": " + thrown + stack(thrown)));
    List<Base> bases = new BaseRegions(directory).all();
    int files = 0;
    for (Base base : bases) {
      Mutations mutations = new Mutations(base, bases);
      int count = Math.max(FILES_OF_A_BASE, mutations.listed() + FILES_OF_A_BASE / 2);
      for (int n = 0; n < count; n += STEP) {
        String name = base.name() + "/" + n;
        if (ONLY.isEmpty() || ONLY.equals(base.name()) || ONLY.equals(name)) {
          open(name, base, mutations.get(n));
          files++;
        }
      }
    }
    report(files);
    assertThat(failures).isEmpty();
    if (ONLY.isEmpty()) {
      assertThat(files).isGreaterThanOrEqualTo(10_000 / STEP);
    }
  }

  @Test
  void p8ForeignFiles() throws Exception {
    Base none = new Base("foreign", new byte[0], Holdfast.Options.defaults());
    for (Mutant foreign : Mutations.foreign()) {
      open(foreign.name(), none, foreign);
    }
    report(Mutations.foreign().size());
    assertThat(failures).isEmpty();
    assertThat(outcomes.keySet())
        .containsExactlyInAnyOrder(
            "OPENING " + RegionFormatException.class.getSimpleName(),
            "OPENING " + RegionDamagedException.class.getSimpleName());
  }

  private void report(int files) {
    StringBuilder text = new StringBuilder("hostile files: " + files + "\n");
    outcomes.forEach((outcome, count) -> text.append("%7d %s%n".formatted(count, outcome)));
    failures.stream().limit(FAILURES_SHOWN).forEach(f -> text.append(f).append('\n'));
    if (!failures.isEmpty()) {
      text.append("failures=").append(failures.size()).append('\n');
    }
    System.out.print(text);
  }

  private void open(String name, Base base, Mutant mutant) throws Exception {
    Path path = directory.resolve("hostile.hf");
    Files.write(path, mutant.bytes());
    String[] failure = new String[1];
    Thread opener = Thread.ofPlatform().start(() -> failure[0] = outcome(path, base, mutant));
    opener.join(TimeUnit.SECONDS.toMillis(HANG_SECONDS));
    if (opener.isAlive()) {
      throw new AssertionError(
          "hangs: -Dholdfast.hostile.only=%s (%s); kept as %s%n%s"
              .formatted(
                  name,
                  mutant.name(),
                  keep(name, mutant),
                  Arrays.toString(opener.getStackTrace())));
    }
    if (failure[0] != null) {
      failures.add(
          "-Dholdfast.hostile.only=%s (%s): %s; kept as %s"
              .formatted(name, mutant.name(), failure[0], keep(name, mutant)));
    }
    Files.delete(path);
  }

  /// A base holds its identity, times, and what its threads happened to do first; so the seed alone
  /// may not bring a failure back, but the file does.
  private static Path keep(String name, Mutant mutant) throws IOException {
    Path kept = Path.of("target", "hostile-" + name.replaceAll("\\W", "-") + ".hf");
    return Files.write(kept.toAbsolutePath(), mutant.bytes());
  }

  /// @return what is wrong, or `null`
  private String outcome(Path path, Base base, Mutant mutant) {
    HostileStore store = new HostileStore();
    String outcome = "opened";
    String wrong = null;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      store.openAndWalk(path, base);
    } catch (HoldfastException | CodecException e) {
      outcome = store.stage() + " " + e.getClass().getSimpleName();
      wrong = messageOf(e, path);
    } catch (Throwable e) { // whatever it is, it must not be
      outcome = "WRONG " + store.stage() + " " + e.getClass().getSimpleName();
      wrong = store.stage() + " " + e + stack(e);
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    if (wrong == null && allocated > ALLOCATED_MAX + 16L * mutant.bytes().length) {
      outcome = "WRONG allocation";
      wrong = "allocates " + allocated + " bytes";
    }
    if (wrong == null && store.stage() == Stage.OPENING && isChanged(path, mutant)) {
      outcome = "WRONG changed";
      wrong = "the file was changed and then refused: " + outcome;
    }
    outcomes.merge(outcome, 1, Integer::sum);
    return wrong;
  }

  private static String messageOf(Exception e, Path path) {
    String message = String.valueOf(e.getMessage());
    if (!message.contains(path.toString())) {
      return "does not name the file: " + e;
    }
    boolean names =
        !(e instanceof RegionDamagedException || e instanceof CodecException)
            || message.contains("offset")
            || message.contains("length=");
    return names ? null : "does not name the place: " + e;
  }

  private static String stack(Throwable e) {
    StringBuilder text = new StringBuilder();
    Throwable root = e instanceof AssertionError && e.getCause() != null ? e.getCause() : e;
    Arrays.stream(root.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("io.holdfast"))
        .limit(5)
        .forEach(frame -> text.append("\n    ").append(frame));
    return text.toString();
  }

  private static boolean isChanged(Path path, Mutant mutant) {
    try {
      return !Arrays.equals(Files.readAllBytes(path), mutant.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
