package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What programs read is the same in every locale; some have digits of their own.
class LocaleTest {
  @TempDir Path directory;

  private final Locale before = Locale.getDefault();
  private Path file;

  @BeforeEach
  void make() {
    file = directory.resolve("shop.hf");
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap("prices", String.class, Long.class).put("apple", 3L);
    }
    Locale.setDefault(Locale.of("ar", "EG"));
  }

  @AfterEach
  void setBack() {
    Locale.setDefault(before);
  }

  @Test
  void anExport() {
    assertThat(CommandRun.of("export", file).out())
        .startsWith("{\"holdfast\":\"export\",\"version\":1,")
        .containsPattern("\"created\":[0-9]+}")
        .containsPattern("\"entries\":1,\"crc32c\":[0-9]+}")
        .endsWith("{\"holdfast\":\"end\",\"roots\":1}\n");
  }

  @Test
  void theProcessThatHasAStoreOpen() throws Exception {
    Path open = directory.resolve("open.hf");
    Process process = KilledStore.start(open);
    try {
      assertThat(CommandRun.of("info", open).out()).contains("pid=" + process.pid() + ",");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatACommandPrints() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-Duser.language=ar", "-Duser.country=EG"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(HoldfastCommand.class.getName(), "info", file.toString()));
    Process process = new ProcessBuilder(command).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(out).contains("1.0 MiB").doesNotContainPattern("[\u0660-\u0669]");
  }
}
