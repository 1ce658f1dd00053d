package io.holdfast.core.section.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.TestForm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Sections with random dependencies that end in random orders, against a model that searches the
/// greatest closed set anew after each end. Without threads and logs, so that there are enough
/// shapes for what is rare: a section that is given a blocker while the reach of another one is
/// looked through.
///
/// Shows BLOCKER-2.
class WaitingSectionsTest {
  private static final int RUNS = TestForm.count(5_000, 20_000);
  private static final int SECTIONS_MAX = 24;

  /// Ends sections as {@link GroupCommit} does.
  private static final class Run {
    private final Random random;
    private final WaitingSections waiting = new WaitingSections();
    private final List<SectionRecord> sections = new ArrayList<>();
    private final List<List<SectionRecord>> dependencies = new ArrayList<>();

    Run(long seed) {
      random = new Random(seed);
      int count = 2 + random.nextInt(SECTIONS_MAX - 1);
      for (int i = 0; i < count; i++) {
        SectionRecord section = new SectionRecord(null, null);
        section.number = 1;
        sections.add(section);
      }
      for (SectionRecord section : sections) {
        section.dependencies = some(section);
        dependencies.add(section.dependencies);
      }
    }

    /// Some of the others, earlier or later: cycles are allowed.
    private List<SectionRecord> some(SectionRecord section) {
      Set<SectionRecord> some = new LinkedHashSet<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        some.add(sections.get(random.nextInt(sections.size())));
      }
      some.remove(section);
      return List.copyOf(some);
    }

    void run(String name) {
      List<SectionRecord> order = new ArrayList<>(sections);
      Collections.shuffle(order, random);
      for (SectionRecord section : order) {
        end(section);
        if (random.nextInt(3) == 0) {
          waiting.look(System.nanoTime()); // follows chains, and makes them shorter
        }
        for (int i = 0; i < sections.size(); i++) {
          assertThat(sections.get(i).isDurable())
              .as("section %d, %s", i, name)
              .isEqualTo(durable().contains(sections.get(i)));
        }
      }
      assertThat(waiting.look(System.nanoTime())).as(name).isNull();
    }

    private void end(SectionRecord section) {
      if (section.dependencies.stream().allMatch(SectionRecord::isDurable)) {
        section.becameDurable();
      } else {
        waiting.add(section);
      }
      section.ended = true;
      for (SectionRecord closed : waiting.closedBy(section)) {
        closed.dependencies = List.of();
        closed.blocker = null;
        waiting.remove(closed);
        closed.becameDurable();
      }
    }

    /// The greatest closed set: take away what is not ended or depends on what was taken away.
    private Set<SectionRecord> durable() {
      Set<SectionRecord> set = new HashSet<>(sections);
      set.removeIf(section -> !section.ended);
      while (set.removeIf(each -> !set.containsAll(dependencies.get(sections.indexOf(each))))) {
        // again
      }
      return set;
    }
  }

  @Test
  void p2AgreesWithTheGreatestClosedSet() {
    Long only = Long.getLong("holdfast.seed");
    for (long seed = only == null ? 1 : only; seed <= (only == null ? RUNS : only); seed++) {
      new Run(seed).run("-Dholdfast.seed=" + seed);
    }
  }
}
