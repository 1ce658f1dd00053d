package io.holdfast.stress.linearizability;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.util.concurrent.ConcurrentMap;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Whether what threads see of a map is what a `java.util` one would show in some order of their
/// operations. Sizes are left out: they are weakly consistent.
///
/// Lincheck's stress mode, real threads: its model checker replaces what threads wait by, and can't
/// follow words of a mapped file.
class HashMapLinearizabilityTest {
  /// Enough to see what is wrong.
  private static final int NOTICING = 16;

  private static StressOptions options() {
    return new StressOptions()
        .iterations(TestForm.count(8, NOTICING))
        .invocationsPerIteration(300)
        .threads(3)
        .actorsPerThread(3)
        .minimizeFailedScenario(false)
        .sequentialSpecification(SequentialMap.class);
  }

  @AfterAll
  static void close() throws IOException {
    LinearizabilityStore.close();
  }

  @Test
  void operationsOnKeys() {
    options().check(Persistent.class);
  }

  /// A check that can't fail would show nothing.
  @Test
  void aMergeInTwoStepsIsNoticed() {
    assertThatThrownBy(() -> options().iterations(NOTICING).check(InTwoSteps.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  /// The map itself.
  public static class Persistent extends MapOperations<Integer> {
    public Persistent() {
      super(LinearizabilityStore.open().hashMap("map", Integer.class, Integer.class));
    }

    @Override
    Integer value(int number) {
      return number;
    }

    @Override
    Integer number(Integer value) {
      return value;
    }
  }

  /// A fault.
  public static final class InTwoSteps extends Persistent {
    @Override
    Integer merge(ConcurrentMap<Integer, Integer> changed, int key, int value) {
      return mergeInTwoSteps(changed, key, value);
    }
  }
}
