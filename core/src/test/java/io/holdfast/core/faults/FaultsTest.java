package io.holdfast.core.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Durability;
import io.holdfast.core.log.AppendLog;
import io.holdfast.core.log.CsoRandom;
import io.holdfast.core.log.CsoVb;
import io.holdfast.core.log.LogFormat;
import io.holdfast.core.log.LogRing;
import io.holdfast.core.log.WhenFull;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.CrashExplorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every deliberate fault is found, in a loss of power or already when the process crashes, and the
/// report says which store it was about. Without a fault nothing is found.
class FaultsTest {
  private static final long LOG = 64;
  private static final long CAPACITY = 512;

  /// Opens a structure, with its fault.
  private interface Structure<T> {
    T open(Memory memory);
  }

  private static CrashExplorer<ShadowCell> cell(Structure<ShadowCell> structure) {
    return CrashExplorer.<ShadowCell>of("a cell", structure::open)
        .step("update", cell -> cell.update(1))
        .step("update twice", FaultsTest::updateTwice)
        .check((cell, point) -> assertThat(cell.state().get(0)).isEqualTo(cell.state().get(1)))
        .check(
            (cell, point) ->
                assertThat(cell.state().get(0)).isBetween(lowest(point.acknowledged()), 3L));
  }

  private static void updateTwice(ShadowCell cell) {
    cell.update(2);
    cell.update(3);
  }

  /// The value after some steps.
  private static long lowest(int steps) {
    return new long[] {0, 1, 3}[steps];
  }

  private static CrashExplorer<RedoCell> redo(Structure<RedoCell> structure) {
    return CrashExplorer.<RedoCell>of("a cell with a redo log", structure::open)
        .given(cell -> cell.update(7))
        .step("update", cell -> cell.update(1))
        .step("update", cell -> cell.update(2))
        .state(RedoCell::state);
  }

  /// A log of four entries, that goes round once and a half.
  private static CrashExplorer<AppendLog> log(LogFormat format) {
    CrashExplorer<AppendLog> explorer =
        CrashExplorer.<AppendLog>of("a log", memory -> openLog(memory, format))
            .given(log -> append(log, 1))
            .given(log -> append(log, 2))
            .state(FaultsTest::entries)
            .step("append", log -> append(log, 3))
            .step("trim", log -> log.trim(log.tail() - CopyOfCsoVb.BYTES));
    for (int i = 4; i < 8; i++) {
      int number = i;
      explorer.step("append", log -> append(log, number));
      explorer.step("trim", log -> log.trim(log.tail() - CopyOfCsoVb.BYTES));
    }
    return explorer;
  }

  /// Each opening appends an entry, so that one is cut off after another that was.
  private static CrashExplorer<AppendLog> logThatIsAppendedTo(LogFormat format) {
    return CrashExplorer.<AppendLog>of(
            "a log",
            memory -> {
              AppendLog log = openLog(memory, format);
              append(log, 9);
              return log;
            })
        .withoutModel()
        .step("append", log -> append(log, 3))
        .check(
            (log, point) ->
                assertThat(entries(log))
                    .allMatch(entry -> entry.stream().distinct().count() == 1, "is whole"));
  }

  private static AppendLog openLog(Memory memory, LogFormat format) {
    if (memory.length() > 0) {
      return AppendLog.open(memory, LOG, format, WhenFull.FAIL);
    }
    memory.grow(1024);
    return AppendLog.create(memory, LOG, CAPACITY, format, WhenFull.FAIL);
  }

  private static void append(AppendLog log, long number) {
    long[] payload = new long[CopyOfCsoVb.WORDS];
    Arrays.fill(payload, number);
    log.append(payload, payload.length);
  }

  private static List<List<Long>> entries(AppendLog log) {
    List<List<Long>> entries = new ArrayList<>();
    log.forEach((end, entry) -> entries.add(Arrays.stream(entry.toArray()).boxed().toList()));
    return entries;
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void withoutAFaultNothingIsFound(Durability durability) {
    cell(ShadowCell::new).surviving(durability).explore();
    redo(memory -> new RedoCell(memory, CsoVb.HALF_LINE)).surviving(durability).explore();
    log(new CopyOfCsoVb()).surviving(durability).explore();
    logThatIsAppendedTo(new CopyOfCsoVb()).surviving(durability).explore();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource({"faultsOfTheCell", "faultsOfTheLog", "faultsOfTrimming"})
  @Timeout(10)
  void isFound(
      String structure,
      String fault,
      Durability durability,
      CrashExplorer<?> explorer,
      String source,
      String words) {
    long before = System.nanoTime();
    assertThatThrownBy(() -> explorer.surviving(durability).explore())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(
            durability == Durability.PROCESS_CRASH ? "a crash is not" : "a loss of power is not")
        .hasMessageContaining("reproduce: seed=")
        .hasMessageContaining(source)
        .hasMessageContaining(words)
        .satisfies(
            found ->
                System.out.printf(
                    "%s, %s: found in %d ms%n%s%n",
                    structure,
                    fault,
                    (System.nanoTime() - before) / 1_000_000,
                    found.getMessage()));
  }

  private static Arguments ofCell(
      String fault, Durability durability, String words, Structure<ShadowCell> structure) {
    return Arguments.of("cell", fault, durability, cell(structure), "ShadowCell.", words);
  }

  static Stream<Arguments> faultsOfTheCell() {
    return Stream.of(
        ofCell(
            "missing flush",
            Durability.POWER_FAILURE,
            "its line is never flushed",
            memory ->
                new ShadowCell(memory) {
                  @Override
                  void persist(long at, long bytes) {
                    memory.releaseFence();
                    memory.fence();
                  }
                }),
        ofCell(
            "missing fence",
            Durability.POWER_FAILURE,
            "never fenced",
            memory ->
                new ShadowCell(memory) {
                  @Override
                  void persist(long at, long bytes) {
                    memory.releaseFence();
                    memory.flush(at, bytes);
                  }
                }),
        ofCell(
            "flush before store",
            Durability.POWER_FAILURE,
            "lost",
            memory ->
                new ShadowCell(memory) {
                  @Override
                  void storeWords(long at, long value) {
                    persist(at, 128);
                    super.storeWords(at, value);
                  }

                  @Override
                  void persist(long at, long bytes) {
                    if (at == 0 || this.memory.readPlain(at) != this.memory.readPlain(at + 64)) {
                      super.persist(at, bytes);
                    }
                  }
                }),
        ofCell(
            "wrong line",
            Durability.POWER_FAILURE,
            "its line is never flushed",
            memory ->
                new ShadowCell(memory) {
                  @Override
                  void persist(long at, long bytes) {
                    super.persist(at, Math.min(bytes, 64));
                  }
                }),
        ofCell(
            "validity before payload",
            Durability.PROCESS_CRASH,
            "storeWords",
            memory ->
                new ShadowCell(memory) {
                  @Override
                  void storeWords(long at, long value) {
                    select(at / 128);
                    super.storeWords(at, value);
                  }
                }),
        ofCell(
            "plain store where release is needed",
            Durability.PROCESS_CRASH,
            "early",
            memory ->
                new ShadowCell(memory) {
                  @Override
                  void select(long selector) {
                    memory.writePlain(0, selector);
                  }

                  @Override
                  void persist(long at, long bytes) {
                    if (at == 0) {
                      super.persist(at, bytes);
                    }
                  }
                }),
        ofCell(
            "missing release fence",
            Durability.PROCESS_CRASH,
            "early",
            memory ->
                new ShadowCell(memory) {
                  @Override
                  void persist(long at, long bytes) {
                    memory.flush(at, bytes);
                    memory.fence();
                  }
                }));
  }

  private static Arguments ofLog(
      String fault, Durability durability, String words, CopyOfCsoVb format) {
    return Arguments.of("CSO-VB", fault, durability, log(format), "CopyOfCsoVb", words);
  }

  static Stream<Arguments> faultsOfTheLog() {
    return Stream.of(
        ofLog(
            "missing flush",
            Durability.POWER_FAILURE,
            "its line is never flushed",
            new CopyOfCsoVb() {
              @Override
              void persist(Memory memory, long at) {
                memory.releaseFence();
                memory.fence();
              }
            }),
        ofLog(
            "missing fence",
            Durability.POWER_FAILURE,
            "fenced",
            new CopyOfCsoVb() {
              @Override
              void persist(Memory memory, long at) {
                memory.releaseFence();
                memory.flush(at, BYTES);
              }
            }),
        ofLog(
            "flush before store",
            Durability.POWER_FAILURE,
            "flushed at #",
            new CopyOfCsoVb() {
              @Override
              void store(Memory memory, long at, long[] payload, long validity) {
                super.persist(memory, at);
                super.store(memory, at, payload, validity);
              }

              @Override
              void persist(Memory memory, long at) {
                // Too early: see store.
              }
            }),
        ofLog(
            "wrong line",
            Durability.POWER_FAILURE,
            "its line is never flushed",
            new CopyOfCsoVb() {
              @Override
              void persist(Memory memory, long at) {
                memory.releaseFence();
                memory.flush(at, 64); // the first of two
                memory.fence();
              }
            }),
        ofLog(
            "validity before payload",
            Durability.PROCESS_CRASH,
            "missing",
            new CopyOfCsoVb() {
              @Override
              void store(Memory memory, long at, long[] payload, long validity) {
                storeValidity(memory, at, validity);
                storePayload(memory, at, payload);
              }
            }),
        ofLog(
            "plain store where release is needed",
            Durability.PROCESS_CRASH,
            "early",
            new CopyOfCsoVb() {
              @Override
              void storeValidity(Memory memory, long at, long validity) {
                memory.writePlain(at, validity);
                memory.writePlain(at + 120, validity);
              }
            }),
        ofLog(
            "one validity for two lines",
            Durability.POWER_FAILURE,
            "lost",
            new CopyOfCsoVb() {
              @Override
              boolean isWhole(Memory memory, long at, long polarity) {
                return isValid(memory.readAcquire(at), polarity);
              }
            }),
        ofLog(
            "payload straddling lines",
            Durability.POWER_FAILURE,
            "lost",
            new CopyOfCsoVb() {
              @Override
              long place(LogRing ring, long position) {
                return ring.at(position) + 32; // three lines, the one in the middle without a bit
              }
            }),
        ofLog(
            "polarity not flipped",
            Durability.PROCESS_CRASH,
            "found=",
            new CopyOfCsoVb() {
              @Override
              long polarity(LogRing ring, long position) {
                return 1;
              }
            }),
        ofLog(
            "lap ignored",
            Durability.PROCESS_CRASH,
            "found=",
            new CopyOfCsoVb() {
              @Override
              long polarity(LogRing ring, long position) {
                return ring.lap(position);
              }

              @Override
              boolean isValid(long found, long polarity) {
                return found != 0;
              }
            }),
        Arguments.of(
            "CSO-VB",
            "torn tail not scrubbed",
            Durability.POWER_FAILURE,
            logThatIsAppendedTo(
                new CopyOfCsoVb() {
                  @Override
                  protected void scrub(LogRing ring, long tail) {
                    // Leaves the valid half of an entry for the next one to complete.
                  }
                }),
            "CopyOfCsoVb",
            "then its opening crashed"));
  }

  static Stream<Arguments> faultsOfTrimming() {
    return Stream.of(
        Arguments.of(
            "redo log",
            "head moved before trim",
            Durability.POWER_FAILURE,
            redo(
                memory ->
                    new RedoCell(memory, CsoRandom.CSO_RANDOM) {
                      @Override
                      void finish(long end) {
                        log.trim(end);
                        persistWords();
                      }
                    }),
            "RedoCell.",
            "lost"));
  }
}
