package io.holdfast.jmh.stm;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.memory.MappedMemory;
import io.holdfast.jmh.atlas.Crew;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.stm.WordStm.Shape;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Two threads that want the same few words.
@Timeout(120)
class WordStmThreadsTest {
  private static final int THREADS = 2;
  private static final int TRANSACTIONS = 20_000;
  private static final int ACCOUNTS = 8;
  private static final long SUM = 1_000;

  /// A record for two words, so that words share them.
  private static final Shape SHAPE = new Shape(THREADS, 16, 2, 5);

  /// Transfers between accounts; and a word that is as the one before it, but negative.
  private record Bank(WordStm stm) implements Crew.Work {
    private long account(long number) {
      return stm.dataAt() + number * Long.BYTES;
    }

    private long sum(WordTransaction transaction) {
      long sum = 0;
      for (int i = 0; i < ACCOUNTS; i++) {
        sum += transaction.read(account(i));
      }
      return sum;
    }

    @Override
    public int threads() {
      return THREADS;
    }

    @Override
    public void run(int thread, int operations) {
      WordTransaction transaction = stm.transaction(thread);
      Draws draws = new Draws(thread);
      for (int i = 0; i < operations / THREADS; i++) {
        long from = draws.item(ACCOUNTS);
        long to = draws.item(ACCOUNTS);
        long amount = draws.item(10);
        transaction.run(t -> transfer(t, account(from), account(to), amount));
      }
      assertThat(transaction.committed()).isEqualTo(operations / THREADS);
    }

    private long transfer(WordTransaction transaction, long from, long to, long amount) {
      long one = transaction.read(account(ACCOUNTS));
      long other = transaction.read(account(ACCOUNTS + 1));
      assertThat(other).isEqualTo(-one); // though the transaction may begin again
      assertThat(sum(transaction)).isEqualTo(SUM);
      transaction.write(from, transaction.read(from) - amount);
      transaction.write(to, transaction.read(to) + amount);
      transaction.write(account(ACCOUNTS), one + 1);
      transaction.write(account(ACCOUNTS + 1), other - 1);
      return 0;
    }
  }

  /// Shows STM-7.
  @ParameterizedTest
  @EnumSource
  void aTransactionReadsOneState(StmLog log) {
    long bytes = WordStm.bytes(SHAPE, ACCOUNTS + 2);
    Scratch scratch = new Scratch();
    MappedMemory memory = scratch.memory(bytes, _ -> new CountingDomain());
    try (scratch) {
      Bank bank = new Bank(WordStm.open(memory, log, SHAPE, ACCOUNTS + 2));
      bank.stm.transaction(0).run(t -> open(bank, t));
      try (Crew crew = new Crew(bank)) {
        crew.run(TRANSACTIONS);
      }
      Bank reopened = new Bank(WordStm.open(memory, log, SHAPE, ACCOUNTS + 2));
      WordTransaction transaction = reopened.stm.transaction(0);
      assertThat(transaction.run(reopened::sum)).isEqualTo(SUM);
      assertThat(transaction.run(t -> t.read(reopened.account(ACCOUNTS)))).isEqualTo(TRANSACTIONS);
    } finally {
      memory.close();
    }
  }

  private static long open(Bank bank, WordTransaction transaction) {
    transaction.write(bank.account(0), SUM);
    return 0;
  }
}
