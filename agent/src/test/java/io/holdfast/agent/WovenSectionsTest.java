package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Woven code with core's hooks and a real region: P1, and the end of a section where its lock
/// ends.
class WovenSectionsTest {
  private final Object lock = new Object();
  private final Object inner = new Object();
  private final WovenMonitors woven = new WovenMonitors(WovenLoader.real());

  @TempDir Path directory;
  private RegionFile file;
  private Region region;
  private long first;
  private long second;

  @BeforeEach
  void openWithTwoWords() throws Throwable {
    file = RegionFile.open(directory.resolve("region"));
    region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
    woven.call("block", lock, (Runnable) () -> first = region.heap().allocate(16));
    second = first + 8;
    woven.call("block", lock, write(1, 1));
  }

  @AfterEach
  void close() {
    region.close();
    file.close();
  }

  private Runnable write(long one, long other) {
    return () -> {
      region.sections().current().write(first, one);
      region.sections().current().write(second, other);
    };
  }

  /// What a crash at this instant leaves: the words after recovery.
  private long[] recovered() {
    try {
      Path image = directory.resolve("image");
      Files.copy(directory.resolve("region"), image, StandardCopyOption.REPLACE_EXISTING);
      try (RegionFile copy = RegionFile.open(image);
          Region opened = Region.open(copy.memory(), RegionFile.INITIAL_BYTES)) {
        return new long[] {opened.memory().readPlain(first), opened.memory().readPlain(second)};
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void p1AtomicInABlock() throws Throwable {
    Runnable body =
        () -> {
          write(2, 2).run();
          assertThat(recovered()).containsExactly(1, 1);
        };
    woven.call("block", lock, body);
    assertThat(recovered()).containsExactly(2, 2);
    assertThat(SectionHooks.inSection()).isFalse();
  }

  @Test
  void p1AtomicUntilTheOutermostRelease() throws Throwable {
    int[] runs = {0};
    Runnable body =
        () -> {
          write(2, ++runs[0]).run();
          assertThat(recovered()).containsExactly(1, 1);
        };
    woven.call("nested", lock, inner, body);
    assertThat(runs[0]).isEqualTo(2);
    assertThat(recovered()).containsExactly(2, 2);
  }

  @Test
  void p1AtomicInMethods() throws Throwable {
    woven.call(
        "methodWithBlock",
        lock,
        (Runnable)
            () -> {
              write(3, 3).run();
              assertThat(recovered()).containsExactly(1, 1);
            });
    assertThat(recovered()).containsExactly(3, 3);
    woven.call("ofClass", write(4, 4));
    assertThat(recovered()).containsExactly(4, 4);
  }

  @Test
  void anExceptionEndsTheSectionAsItEndsTheBlock() {
    Runnable body =
        () -> {
          write(5, 5).run();
          throw new IllegalStateException("failed");
        };
    assertThatThrownBy(() -> woven.call("block", lock, body)).hasMessage("failed");
    assertThat(recovered()).containsExactly(5, 5);
    assertThatThrownBy(() -> woven.call("method", body)).hasMessage("failed");
    assertThat(SectionHooks.inSection()).isFalse();
  }

  @Test
  void aStoreOutsideIsRefused() {
    assertThatThrownBy(() -> write(6, 6).run()).isInstanceOf(IllegalStateException.class);
    assertThat(recovered()).containsExactly(1, 1);
  }
}
