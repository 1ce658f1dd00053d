package io.holdfast.core.log;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsoRandomCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return CsoRandom.CSO_RANDOM;
  }

  @Override
  protected int[] lengths() {
    return new int[] {3, 8, 20, 4, 13};
  }

  @Override
  protected long capacity() {
    return 512;
  }

  private static long randomWord(Store store) {
    return LogRing.open(store.memory, AT, CsoRandom.CSO_RANDOM).own();
  }

  /// The state with a mark for the random word, which is another one in every run.
  private static List<List<Long>> marked(Store store) {
    long random = randomWord(store);
    return store.state().stream()
        .map(entry -> entry.stream().map(word -> word == random ? -1 : word).toList())
        .toList();
  }

  private static void append(Store store, int length, int... colliding) {
    long[] payload = new long[length];
    for (int i = 0; i < length; i++) {
      payload[i] = 7L * length + i;
    }
    for (int i : colliding) {
      payload[i] = randomWord(store);
    }
    store.log().append(payload, length);
  }

  /// RANDOM-3: what opening has filled is so durably before the first entry, which has a line that
  /// is not its first.
  @Test
  void tornEntriesAreNotCompletedByTheFirstBehindAnOpening() {
    appendInPlaceOfTornEntries(1, 0);
  }

  /// RANDOM-2: in its only line, in its first, its second, in both, and around the ring's end.
  @Test
  void entriesWithTheRandomWordAreWholeOrNotThere() {
    explorer("collision")
        .given(
            store -> {
              fillUp(store, 0);
              store.trim(store.state().size());
            })
        .state(CsoRandomCrashTest::marked)
        .step("in its last word", store -> append(store, 3, 2))
        .step("in three", store -> store.log().append(1, 2, randomWord(store)))
        .step("trim", store -> store.trim(1))
        .step("in the second line", store -> append(store, 9, 8))
        .step("everywhere", store -> append(store, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
        .step("trim again", store -> store.trim(2))
        .step("none", store -> append(store, 5))
        .step("in the first line", store -> append(store, 12, 6, 2))
        .explore();
  }
}
