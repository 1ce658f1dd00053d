package io.holdfast.jmh.atlas;

import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ObjLongConsumer;

/// A region whose sections a crash does not undo: they are executed again, from the beginning to
/// the end (Xu, Izraelevitz, Swanson: "Clobber-NVM: Log Less, Re-execute More", 3 and 4).
///
/// A section's *inputs* are the words that it reads before it writes them. Only an input that it
/// overwrites, a *clobbered* one, has an undo entry. Other words have none: a second execution
/// writes them again. What the program keeps in variables, its function and the argument, is in the
/// *v_log*. As in the paper, the entries are those of an undo log that is there already, the
/// region's. It also keeps track of the blocks that a section allocates and frees.
///
/// Here reads and writes are seen one by one as they happen, so an entry is never made in vain. The
/// paper's compiler decides before, and on the safe side.
///
/// The v_log is the line that follows the program's first block:
///
/// | word 0 to 2 | word 3 | word 4 | word 7 |
/// |---|---|---|---|
/// | the function's name, ASCII, filled with zeros | how many sections are durable | the argument | how many have stored something |
///
/// Recovery is the region's, which restores what has entries, and then {@link #resume}.
///
/// - **CLOBBER-1** An input's old value is durable before the word is overwritten. Test:
///   ClobberCrashTest.clobber1And2TheSectionIsCompleted.
/// - **CLOBBER-2** What the section executes is durable before the first word that it stores. Word
///   7 follows the name and the argument in its line (MEDIA-2), and the first store waits for the
///   line together with the first entry. Test: ClobberCrashTest.clobber1And2TheSectionIsCompleted.
/// - **CLOBBER-3** Word 3 counts the section with its end, and has an entry. So word 7 is ahead of
///   it until the section is durable, also in a second execution, and only if the line is whole: a
///   crash can leave the entry without the line. Test:
///   ClobberCrashTest.clobber3ACrashOfTheSecondExecution.
/// - **CLOBBER-4** No other thread sees, or has changed, what a section works on before it is
///   durable: a section that would hold two locks, of which the inner one is released first, or
///   that depends on another section, is refused. Executed again it could read something else.
///   Tests: ClobberMemoryTest.clobber4AnOpenReleaseIsRefused,
///   ClobberMemoryTest.clobber4NoSectionInsideOfAnother.
/// - **CLOBBER-5** No section begins before the interrupted one was executed again: words without
///   entries are as the crash has left them. Test:
///   ClobberMemoryTest.clobber5WhatWasInterruptedComesFirst.
///
/// A function must do the same again for the same argument and inputs. Blocks that it allocates may
/// lie elsewhere then. An exception that leaves it undoes nothing, as in other sections.
///
/// One section at a time. Sets of boxed words make it slow: it is counted, not timed.
public final class ClobberMemory extends SectionMemory {
  private static final int LINE_BYTES = RegionLayout.LINE_BYTES;
  private static final int NAME_BYTES = 3 * Long.BYTES;
  private static final int DURABLE = NAME_BYTES;
  private static final int ARGUMENT = DURABLE + Long.BYTES;
  private static final int BEGUN = 7 * Long.BYTES;

  private final ReentrantLock running = new ReentrantLock();
  private final Set<Long> read = new HashSet<>();
  private final Set<Long> written = new HashSet<>();

  /// Where the v_log is.
  private long record;

  /// Of the section that runs.
  private Object lock;

  private String function;
  private long argument;
  private boolean hasStored;
  private boolean isRepeated;

  /// Why no section can begin any more; `null` as long as one can.
  private volatile String failure;

  private ClobberMemory(Region region, Runnable release) {
    super(region, release);
  }

  /// Opens or creates a region in a file.
  public static SectionMemory open(Path path, DomainFinder finder, FlushMode mode) {
    return open(path, finder, mode, ClobberMemory::new);
  }

  /// The memory of a region that somebody else has opened.
  public static ClobberMemory of(Region region) {
    return new ClobberMemory(region, () -> {});
  }

  @Override
  public long root(int bytes) {
    int data = (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    long root = super.root(data + LINE_BYTES);
    record = root + data;
    return root;
  }

  @Override
  public void acquired(Object acquired) {
    if (failure != null) {
      throw refused(failure);
    }
    if (!running.tryLock()) {
      throw refused("another thread is in a section, and the v_log has room for one");
    }
    if (running.getHoldCount() == 1) {
      begin(acquired);
    } else if (acquired == lock) {
      super.acquired(acquired);
    } else {
      running.unlock();
      throw fail("a second lock would be released before the section ends"); // CLOBBER-4
    }
  }

  private void begin(Object acquired) {
    super.acquired(acquired);
    if (!section().isAlone()) {
      super.releasing(acquired);
      running.unlock();
      throw refused("it would be part of another section or depend on one"); // CLOBBER-4
    }
    lock = acquired;
  }

  @Override
  public void starting(String name, long value) {
    if (isInterrupted() && !isRepeated) {
      throw refused( // CLOBBER-5
          "a crash has interrupted \"%s\" of %d, which must be executed again first"
              .formatted(interrupted(), memory.readPlain(record + ARGUMENT)));
    }
    if (name.length() > NAME_BYTES) {
      throw refused("the name \"%s\" has more than %d".formatted(name, NAME_BYTES));
    }
    function = name;
    argument = value;
  }

  @Override
  public long read(long offset) {
    noteRead(offset);
    return super.read(offset);
  }

  @Override
  public long readAcquire(long offset) {
    noteRead(offset);
    return super.readAcquire(offset);
  }

  @Override
  public void copyNew(long from, long to, int bytes) {
    for (int done = 0; done < bytes; done += Long.BYTES) {
      noteRead(from + done);
    }
    super.copyNew(from, to, bytes);
  }

  private void noteRead(long offset) {
    if (running.isHeldByCurrentThread() && !written.contains(offset)) {
      read.add(offset);
    }
  }

  @Override
  public void write(long offset, long value) {
    section().checkNotUndone();
    if (!hasStored) {
      log();
    }
    if (written.add(offset) && read.contains(offset)) {
      section().write(offset, value); // CLOBBER-1
    } else {
      memory.writeLogged(offset, value);
    }
  }

  /// Writes the v_log, before the section's first store.
  private void log() {
    if (!running.isHeldByCurrentThread() || function == null) {
      throw refused("a store belongs to no function that could be executed again");
    }
    byte[] name = function.getBytes(StandardCharsets.US_ASCII);
    section().reserve(1); // begins it
    memory.writeBytesPlain(record, Arrays.copyOf(name, NAME_BYTES), 0, NAME_BYTES);
    // CLOBBER-2. As an entry, which waits for nothing.
    long number = memory.readPlain(record + DURABLE) + 1;
    memory.writeEntryRelease(record + ARGUMENT, argument, 0, 0, number);
    section().willStore(record + DURABLE); // CLOBBER-3
    hasStored = true;
  }

  @Override
  public void releasing(Object released) {
    if (running.getHoldCount() == 1) {
      end();
    }
    super.releasing(released);
    running.unlock();
  }

  private void end() {
    if (hasStored && section().isUndone()) {
      failure = "a section was rolled back, and not all that it stored";
    }
    if (hasStored && failure == null) {
      memory.writeLogged(record + DURABLE, memory.readPlain(record + BEGUN)); // CLOBBER-3
    } else if (hasStored) {
      section().undo(); // the v_log stays
    }
    read.clear();
    written.clear();
    lock = null;
    function = null;
    hasStored = false;
  }

  private boolean isInterrupted() {
    return memory.readPlain(record + BEGUN) != memory.readPlain(record + DURABLE);
  }

  private String interrupted() {
    byte[] name = new byte[NAME_BYTES];
    memory.readBytes(record, name, 0, name.length);
    return new String(name, StandardCharsets.US_ASCII).trim();
  }

  @Override
  public void resume(ObjLongConsumer<String> sections) {
    if (!isInterrupted()) {
      return;
    }
    String name = interrupted();
    isRepeated = true;
    try {
      sections.accept(name, memory.readPlain(record + ARGUMENT));
    } finally {
      isRepeated = false;
    }
    if (isInterrupted()) {
      throw refused("\"%s\" stored something before the crash, and nothing now".formatted(name));
    }
  }

  private Section section() {
    return region.sections().current();
  }

  /// What has stored already can't be taken back, and must not go on.
  private IllegalStateException fail(String reason) {
    if (hasStored) {
      failure = reason;
    }
    return refused(reason);
  }

  private IllegalStateException refused(String reason) {
    return new IllegalStateException(
        "%s: a section that is executed again after a crash is refused: %s"
            .formatted(memory.name(), reason));
  }
}
