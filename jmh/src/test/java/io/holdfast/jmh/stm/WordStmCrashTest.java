package io.holdfast.jmh.stm;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.fixture.CachedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.jmh.stm.WordStm.Shape;
import io.holdfast.testkit.CrashExplorer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever a crash interrupts, transactions are there whole or not at all, in their order. Shows
/// STM-1, STM-2, STM-3, STM-4, STM-5, STM-6, SEAL-1 and SEAL-2.
@ParameterizedClass
@EnumSource
class WordStmCrashTest {
  private static final int WORDS = 64;

  /// Of the words that are looked at, each in a line of its own but for the last two.
  private static final int[] LOOKED_AT = {0, 8, 16, 24, 32, 40, 41};

  @Parameter private StmLog log;

  /// The memory of two threads.
  private static final class Store {
    private final WordStm stm;
    private final List<WordTransaction> threads;

    Store(Memory memory, StmLog log, int transactions) {
      stm = WordStm.open(memory, log, new Shape(2, 6, 6, transactions), WORDS);
      threads = List.of(stm.transaction(0), stm.transaction(1));
    }

    private long word(int number) {
      return stm.dataAt() + (long) LOOKED_AT[number] * Long.BYTES;
    }

    /// Adds to some words: by its own number, so that no two transactions do the same.
    void add(int thread, int number, int... words) {
      threads
          .get(thread)
          .run(
              t -> {
                for (int word : words) {
                  t.write(word(word), 10 * t.read(word(word)) + number);
                }
                return 0;
              });
    }

    List<Long> state() {
      List<Long> words = new ArrayList<>();
      for (int i = 0; i < LOOKED_AT.length; i++) {
        int word = i;
        words.add(threads.getFirst().run(t -> t.read(word(word))));
      }
      return words;
    }
  }

  private CrashExplorer<Store> explorer(String name, Durability durability, int transactions) {
    return CrashExplorer.of(
            name + ", " + log, (Memory memory) -> new Store(memory, log, transactions))
        .surviving(durability)
        .state(Store::state);
  }

  /// Logs are truncated after each third transaction, and their lines used again.
  private void explore(Durability durability) {
    explorer("transactions", durability, 3)
        .step("first", "1", store -> store.add(0, 1, 0, 1, 2, 3))
        .step("second", "2", store -> store.add(1, 2, 0, 4))
        .step("first", "3", store -> store.add(0, 3, 5, 6))
        .step("first", "4", store -> store.add(0, 4, 0, 2, 4, 5))
        .step("second", "5", store -> store.add(1, 5, 1, 2, 3, 6))
        .step("first", "6", store -> store.add(0, 6, 1))
        .step("second", "7", store -> store.add(1, 7, 1, 3))
        .check(
            (store, _) -> {
              store.add(1, 8, 0, 1, 5, 6);
              store.add(0, 9, 2, 3, 4, 0);
              List<Long> before = store.state();
              assertThat(new Store(store.stm.memory, log, 3).state()).isEqualTo(before);
            })
        .explore();
  }

  @Test
  void transactionsAreWholeOrNotThere() {
    explore(Durability.POWER_FAILURE);
  }

  @Test
  void transactionsSurviveTheProcess() {
    explore(Durability.PROCESS_CRASH);
  }

  /// The first thread's log is read first.
  @Test
  void laterTransactionsOfOtherThreadsWin() {
    explorer("order", Durability.POWER_FAILURE, 64)
        .step("second", "1", store -> store.add(1, 1, 0, 1))
        .step("first", "2", store -> store.add(0, 2, 1, 2))
        .step("second", "3", store -> store.add(1, 3, 2, 3))
        .explore();
  }

  /// A process is killed, the next one recovers what is in the cache and is killed in that or after
  /// it, and then the power fails.
  @Test
  void whatAKilledProcessLeftIsDurableBeforeItIsRedone() {
    List<List<Long>> states = new ArrayList<>();
    Store model = new Store(new CachedMemory(0), log, 3);
    states.add(model.state());
    for (int i = 0; i < 4; i++) {
      transaction(model, i);
      states.add(model.state());
    }
    boolean killed = true;
    for (int calls = 0; killed; calls++) {
      boolean killedAgain = true;
      for (int later = 0; killedAgain; later++) {
        CachedMemory memory = new CachedMemory(1_000L * calls + later);
        Store store = new Store(memory, log, 3);
        memory.killAfter(calls);
        killed =
            isKilled(
                () -> {
                  for (int i = 0; i < 4; i++) {
                    transaction(store, i);
                  }
                });
        CachedMemory next = memory.restarted();
        next.killAfter(later);
        List<List<Long>> read = new ArrayList<>();
        killedAgain = isKilled(() -> read.add(new Store(next, log, 3).state()));
        List<Long> found = new Store(next.afterPowerFailure(), log, 3).state();
        assertThat(states).as("calls=%d, %d", calls, later).contains(found);
        read.forEach(each -> assertThat(found).isEqualTo(each));
      }
    }
  }

  /// Of a transaction a crash has left the first line; another one, of other words, has its place
  /// in the log after that, and without STM-5 its number.
  @Test
  void aLineOfOneTransactionDoesNotCompleteAnother() {
    explorer("cut off", Durability.POWER_FAILURE, 64)
        .given(this::cutOff)
        .step("recover, 1", store -> new Store(store.stm.memory, log, 64).add(0, 1, 0, 1, 2, 3))
        .explore();
  }

  private void cutOff(Store store) {
    Memory memory = store.stm.memory;
    WriteSet writes = new WriteSet(memory, Seal.LINE, 2, log.seal());
    writes.begin(0);
    for (int word = 3; word < LOOKED_AT.length; word++) {
      writes.write(store.word(word), 7);
    }
    writes.persist(1);
    memory.writePlain(2L * Seal.LINE + Seal.PLACE, 0);
    Seal.persist(memory, 2L * Seal.LINE, Seal.LINE);
  }

  private static void transaction(Store store, int number) {
    store.add(number % 2, 1 + number, number, 1 + number, 2 + number, 6);
  }

  private static boolean isKilled(Runnable script) {
    try {
      script.run();
      return false;
    } catch (CachedMemory.Killed e) {
      return true;
    }
  }
}
