package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Notes of owners, as a living process that has lost its kernel lock leaves them: the process is
/// the one that has started this one.
class RegionOwnerTest {
  private static final ProcessIdentity LIVING =
      ProcessIdentity.of(ProcessHandle.current().parent().orElseThrow().pid());

  @TempDir private Path directory;
  private Path path;

  @BeforeEach
  void create() throws IOException {
    path = directory.resolve("region.hf");
    open();
    path = path.toRealPath();
  }

  private Outcome open() {
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      return region.report().outcome();
    }
  }

  /// Stores words of a note, past the lock.
  private void note(long... words) throws IOException {
    Memory memory = new MappedMemory(path, Files.size(path), new PageCache());
    for (int i = 0; i < words.length; i++) {
      memory.writePlain(RegionLayout.OWNER + 8L * i, words[i]);
    }
    memory.close();
  }

  private long[] words(ProcessIdentity process) throws IOException {
    return new RegionOwner(77, process).words(FileIdentity.of(path));
  }

  @Test
  void owner1ALivingOwnerIsRespected() throws IOException {
    note(words(LIVING));
    byte[] before = Files.readAllBytes(path);
    assertThatExceptionOfType(RegionLockedException.class)
        .isThrownBy(this::open)
        .withMessage(
            "%s: the region is open in another process: holder=[%s]. Wait for it to end, or end it",
            path, LIVING);
    assertThat(RegionFile.holder(path)).isEqualTo(LIVING.toString());
    assertThat(path).hasBinaryContent(before);
    assertThatExceptionOfType(RegionLockedException.class).isThrownBy(() -> RegionFile.hold(path));
  }

  @Test
  void owner1TheDeadKeepNobodyOut() throws Exception {
    Process ended = new ProcessBuilder("sleep", "600").start();
    ProcessIdentity was = ProcessIdentity.of(ended.pid());
    assertThat(was.state()).isEqualTo(ProcessIdentity.State.ALIVE);
    ended.destroyForcibly().waitFor();
    ProcessIdentity reused =
        new ProcessIdentity(LIVING.pid(), LIVING.start() - 1, LIVING.boot(), LIVING.namespace());
    ProcessIdentity ofAnotherBoot =
        new ProcessIdentity(LIVING.pid(), LIVING.start(), ~LIVING.boot(), LIVING.namespace());
    for (ProcessIdentity dead :
        new ProcessIdentity[] {was, reused, ofAnotherBoot, ProcessIdentity.self()}) {
      note(words(dead));
      assertThat(RegionFile.holder(path)).isNull();
      assertThat(open()).isEqualTo(Outcome.CLEAN);
    }
  }

  /// Its parent has not asked for its exit code, so the system still knows its number.
  @Test
  void owner1AZombieIsDead() throws Exception {
    Process parent =
        new ProcessBuilder("/bin/bash", "-c", "sleep 600 & echo $!; exec sleep 600").start();
    try {
      long pid = Long.parseLong(parent.inputReader().readLine());
      ProcessIdentity child = ProcessIdentity.of(pid);
      note(words(child));
      assertThatExceptionOfType(RegionLockedException.class).isThrownBy(this::open);
      new ProcessBuilder("/bin/bash", "-c", "kill -9 " + pid).start().waitFor();
      while (child.state() == ProcessIdentity.State.ALIVE) {
        Thread.onSpinWait();
      }
      assertThat(Path.of("/proc/" + pid)).exists();
      assertThat(open()).isEqualTo(Outcome.CLEAN);
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void owner1ACopyHasNoOwner() throws IOException {
    note(words(LIVING));
    Path copy = Files.copy(path, directory.resolve("copy.hf"));
    path = copy.toRealPath();
    assertThat(open()).isEqualTo(Outcome.CLEAN);
  }

  /// Over an older note, each prefix of the stores of {@link RegionOwner#claim}.
  @Test
  void owner1ANoteThatWasCutOffKeepsNobodyOut() throws IOException {
    long[] before = words(LIVING);
    long[] next = new RegionOwner(78, LIVING).words(FileIdentity.of(path));
    for (int stored = 0; stored < next.length; stored++) {
      long[] cut = before.clone();
      cut[7] = 0;
      System.arraycopy(next, 0, cut, 0, stored);
      note(cut);
      assertThat(open()).as(Arrays.toString(cut)).isEqualTo(Outcome.CLEAN);
    }
    note(next);
    assertThatExceptionOfType(RegionLockedException.class).isThrownBy(this::open);
  }

  private ProcessIdentity unseen() {
    return new ProcessIdentity(LIVING.pid(), LIVING.start(), LIVING.boot(), LIVING.namespace() + 1);
  }

  @Test
  void owner2WhoIsNotSeenIsAsked() throws Exception {
    long[] words = words(unseen());
    note(words);
    Memory memory = new MappedMemory(path, Files.size(path), new PageCache());
    AtomicBoolean done = new AtomicBoolean();
    FutureTask<Void> looks =
        new FutureTask<>(
            () -> {
              while (!done.get()) {
                assertThat(new RegionOwner(77, unseen()).look(memory)).isNull();
              }
              return null;
            });
    Thread.ofPlatform().daemon().start(looks);
    assertThatExceptionOfType(RegionLockedException.class)
        .isThrownBy(this::open)
        .withMessageContaining("started=unknown, in another container");
    done.set(true);
    looks.get();
    memory.close();
    assertThat(open()).as("silent, so it is dead").isEqualTo(Outcome.CLEAN);
  }

  @Test
  void owner3WhatIsAnothersIsNotMarkedAsClosed() throws IOException {
    RegionFile file = RegionFile.open(path);
    Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
    assertThat(file.memory().checkLength()).isNull();
    note(words(LIVING));
    assertThat(file.memory().checkLength())
        .hasMessageContaining("the region is not this store's any more");
    byte[] before = Files.readAllBytes(path);
    assertThatExceptionOfType(RegionAccessException.class)
        .isThrownBy(region::close)
        .withMessageContaining("the region is not this store's any more");
    file.close();
    assertThat(path).hasBinaryContent(before);
  }

  /// As a backup is made and recovered: past the lock, by a process that lives on.
  @Test
  void whatIsClosedHasNoOwner() throws IOException {
    Memory memory = new MappedMemory(path, Files.size(path), new PageCache());
    Region.open(memory, RegionFile.INITIAL_BYTES).close();
    assertNoOwner();
    memory = new MappedMemory(path, Files.size(path), new PageCache());
    RegionHeader.read(memory).stateChanged(RegionHeader.State.OPEN);
    assertThat(Region.recoverAndClose(memory).outcome()).isEqualTo(Outcome.RECOVERED);
    memory.close();
    assertNoOwner();
  }

  private void assertNoOwner() throws IOException {
    Memory memory = new MappedMemory(path, Files.size(path), new PageCache());
    assertThat(memory.readPlain(RegionLayout.OWNER)).isZero();
    memory.close();
  }

  @Test
  void theNoteIsThereWhileItIsOpen() throws IOException {
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      assertThat(region.memory().readPlain(RegionLayout.OWNER)).isNotZero();
      assertThat(region.memory().readPlain(RegionLayout.OWNER + 8))
          .isEqualTo(ProcessHandle.current().pid());
    }
    assertNoOwner();
  }
}
