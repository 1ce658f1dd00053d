package io.holdfast.core.faults;

import io.holdfast.core.log.AppendLog;
import io.holdfast.core.log.LogFormat;
import io.holdfast.core.log.WhenFull;
import io.holdfast.core.memory.Memory;
import java.util.List;

/// A toy: two words, in lines of their own, that change together by a redo log. The order of
/// stores: the entry; the words; they are durable; the log is trimmed. Opening does again what the
/// log says.
class RedoCell {
  private static final long WORDS = 0;
  private static final long LOG = 128;
  private static final long CAPACITY = 512;

  final Memory memory;
  final AppendLog log;

  RedoCell(Memory memory, LogFormat format) {
    this.memory = memory;
    if (memory.length() == 0) {
      memory.grow(LOG + AppendLog.bytes(CAPACITY));
      log = AppendLog.create(memory, LOG, CAPACITY, format, WhenFull.FAIL);
    } else {
      log = AppendLog.open(memory, LOG, format, WhenFull.FAIL);
      log.forEach((end, entry) -> storeWords(entry.word(0)));
      persistWords();
      log.trim(log.tail());
    }
  }

  List<Long> state() {
    return List.of(memory.readPlain(WORDS), memory.readPlain(WORDS + 64));
  }

  void update(long value) {
    long end = log.append(new long[] {value, value, value}, 3);
    storeWords(value);
    finish(end);
  }

  void finish(long end) {
    persistWords();
    log.trim(end);
  }

  private void storeWords(long value) {
    memory.writePlain(WORDS, value);
    memory.writePlain(WORDS + 64, value);
  }

  void persistWords() {
    memory.releaseFence();
    memory.flush(WORDS, 128);
    memory.fence();
  }
}
