package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that appear whole or not at all.
final class NewFileTest {
  /// The text of a killed maker's lock file.
  private static final String MAKER = "Holdfast makes this file: pid=1\n";

  @TempDir Path directory;

  private Path path(String name) {
    return directory.resolve(name);
  }

  private List<String> names() {
    return List.of(directory.toFile().list());
  }

  private void make(String content) throws IOException {
    try (NewFile file = NewFile.of(path("a"), null)) {
      Files.writeString(file.part(), content);
      assertThat(path("a")).doesNotExist();
      file.publish();
    }
  }

  @Test
  void whole1ItIsThereWhenItIsWhole() throws IOException {
    make("whole");
    assertThat(path("a")).hasContent("whole");
    assertThat(names()).containsExactly("a");
    assertThatThrownBy(() -> make("again")).isInstanceOf(RegionAccessException.class);
    assertThat(path("a")).hasContent("whole");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void whole1AFileMadeMeanwhileIsNotReplaced() throws IOException {
    try (NewFile file = NewFile.of(path("a"), null)) {
      Files.writeString(path("a"), "mine");
      assertThatThrownBy(file::publish)
          .isInstanceOf(RegionAccessException.class)
          .hasMessageContaining("there is a file of this name");
    }
    assertThat(path("a")).hasContent("mine");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void nothingIsLeftOfOneThatIsNotPublished() throws IOException {
    try (NewFile file = NewFile.of(path("a"), null)) {
      Files.writeString(file.part(), "half");
    }
    assertThat(names()).isEmpty();
    make("whole");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-------", "rw-rw----", "rw-r--r--", "rw-rw-rw-"})
  void whole2ThePartHasTheRightsOfItsOrigin(String rights) throws IOException {
    Files.createFile(path("origin"));
    Files.setPosixFilePermissions(path("origin"), PosixFilePermissions.fromString(rights));
    try (NewFile file = NewFile.of(path("a"), path("origin"))) {
      assertThat(rights("a.part")).isEqualTo(rights);
      assertThat(rights("a.part.lock")).isEqualTo("rw-------");
      file.publish();
    }
    assertThat(rights("a")).isEqualTo(rights);
    try (NewFile file = NewFile.of(path("b"), null)) {
      assertThat(rights("b.part")).isEqualTo("rw-------");
      assertThat(file.part()).isEmptyFile();
    }
  }

  private String rights(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path(name)));
  }

  @Test
  void whole3WhatAKilledMakerHasLeftIsReplaced() throws IOException {
    Files.writeString(path("a.part"), "half");
    Files.writeString(path("a.part.lock"), MAKER);
    make("whole");
    assertThat(path("a")).hasContent("whole");
    assertThat(names()).containsExactly("a");
  }

  /// Without a lock file, or with a store's.
  @Test
  void whole3WhatIsNotAMakersIsNotTouched() throws IOException {
    Files.writeString(path("a.part"), "mine");
    for (String lock : new String[] {null, "", "pid=1, started=1\n", "text"}) {
      if (lock != null) {
        Files.writeString(path("a.part.lock"), lock);
      }
      assertThatThrownBy(() -> make("whole"))
          .as(lock)
          .isInstanceOf(RegionAccessException.class)
          .hasMessageContaining("there is a file of this name");
      assertThat(path("a.part")).hasContent("mine");
      if (lock != null) {
        assertThat(path("a.part.lock")).hasContent(lock);
      }
    }
    Files.delete(path("a.part"));
    assertThatThrownBy(() -> make("whole")).isInstanceOf(RegionAccessException.class);
    assertThat(path("a.part.lock")).hasContent("text");
    Files.writeString(path("a.part.lock"), "pid=1, started=1\n"); // of a store that is gone
    make("whole");
  }

  @Test
  void whole3ALinkOrAPipeIsNotFollowed() throws Exception {
    Files.writeString(path("mine"), MAKER);
    Files.createSymbolicLink(path("a.part.lock"), path("mine"));
    assertThatThrownBy(() -> make("whole")).isInstanceOf(RegionAccessException.class);
    Files.delete(path("a.part.lock"));
    assertThat(new ProcessBuilder("mkfifo", path("a.part.lock").toString()).start().waitFor())
        .isZero();
    assertThatThrownBy(() -> make("whole")).isInstanceOf(RegionAccessException.class);
    Files.delete(path("a.part.lock"));
    Files.createSymbolicLink(path("a"), path("nowhere"));
    assertThatThrownBy(() -> make("whole")).isInstanceOf(RegionAccessException.class);
    assertThat(path("nowhere")).doesNotExist();
  }

  @Test
  void oneMakerAtATime() throws IOException {
    try (NewFile file = NewFile.of(path("a"), null)) {
      assertThatThrownBy(() -> make("whole"))
          .isInstanceOf(RegionLockedException.class)
          .hasMessageContaining("pid=" + ProcessHandle.current().pid());
      Files.writeString(file.part(), "first");
      file.publish();
    }
    assertThat(path("a")).hasContent("first");
  }

  @Test
  void aPartThatIsReplacedIsNotPublished() throws IOException {
    try (NewFile file = NewFile.of(path("a"), null)) {
      Files.move(file.part(), path("moved"));
      Files.writeString(file.part(), "another's");
      assertThatThrownBy(file::publish).isInstanceOf(IOException.class);
    }
    assertThat(path("a")).doesNotExist();
    assertThat(path("a.part")).hasContent("another's");
  }

  @Test
  void anInterruptDoesNotHarm() throws IOException {
    Thread.currentThread().interrupt();
    make("whole");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(names()).containsExactly("a");
  }

  /// Killed in the last step, it has both names.
  @Test
  void theSecondNameIsTakenAwayWhenItIsOpened() throws IOException {
    RegionFile.open(path("a")).close();
    Files.createLink(path("a.part"), path("a"));
    assertThatThrownBy(() -> RegionFile.open(path("a")))
        .isInstanceOf(RegionAccessException.class)
        .hasMessageContaining("2 names");
    Files.writeString(path("a.part.lock"), MAKER);
    RegionFile.open(path("a")).close();
    assertThat(path("a.part")).doesNotExist();
    assertThat(path("a.part.lock")).doesNotExist();
  }
}
