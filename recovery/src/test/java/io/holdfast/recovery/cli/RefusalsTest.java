package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// Every refusal ends in the next command to type, and that can be typed. `@` stands for the
/// directory of the test's files.
final class RefusalsTest {
  private static final int USAGE = ExitCode.USAGE.number();
  private static final int DAMAGED = ExitCode.DAMAGED.number();
  private static final int REFUSED = ExitCode.REFUSED.number();
  private static final int IN_USE = ExitCode.IN_USE.number();
  private static final int HEADERS_BYTES = 8_192;

  @TempDir private Path directory;

  record Key(int one, int other) {}

  @BeforeEach
  void makeFiles() throws IOException {
    Codec<String> text = Codec.of(String.class);
    try (Holdfast store = Holdfast.open(path("shop.hf"))) {
      store.hashMap("stock", String.class, Long.class).put("apples", 3L);
      store.hashMap("places", Key.class, Long.class);
    }
    for (String copy : List.of("used.hf", "sorted.hf", "newer.hf", "damaged.hf", "rootless.hf")) {
      Files.copy(path("shop.hf"), path(copy));
    }
    try (Holdfast store = Holdfast.open(path("sorted.hf"))) {
      store.treeMap("mine", text, text, "by length", Comparator.comparing(String::length));
    }
    try (RegionFile file = RegionFile.open(path("newer.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      long block = region.roots().find("stock").firstBlock();
      region.roots().create("novel", "kind of a newer version", "Long", () -> block);
    }
    overwrite("damaged.hf", Long.BYTES, HEADERS_BYTES - Long.BYTES); // it begins as a region
    overwrite("rootless.hf", HEADERS_BYTES, (int) Files.size(path("rootless.hf")) - HEADERS_BYTES);
    Files.writeString(path("text.txt"), "no region");
  }

  private Path path(String name) {
    return directory.resolve(name);
  }

  private void overwrite(String name, long offset, int bytes) throws IOException {
    byte[] nonsense = new byte[bytes];
    Arrays.fill(nonsense, (byte) 0x5A);
    try (FileChannel channel = FileChannel.open(path(name), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(nonsense), offset);
    }
  }

  static List<Arguments> refusals() {
    return List.of(
        // a command line that can't be right
        arguments("", USAGE, "holdfast --help"),
        arguments("repair @/shop.hf", USAGE, "holdfast --help"),
        arguments("verify", USAGE, "holdfast verify --help"),
        arguments("dump @/shop.hf stock --to-file x", USAGE, "holdfast dump --help"),
        arguments("dump @/shop.hf orders", USAGE, "holdfast ls @/shop.hf"),
        arguments(
            "dump @/shop.hf places --from 1", USAGE, "holdfast dump @/shop.hf places --limit 100"),
        arguments("verify @/shop.hf --class-path @/no.jar", USAGE, "ls -l @/no.jar"),
        arguments("stat @/shop.hf --interval 0", USAGE, "holdfast stat --help"),
        arguments("top @/shop.hf --interval -1", USAGE, "holdfast top --help"),
        arguments("backup @/used.hf @/new.hf --rate 0", USAGE, "holdfast backup --help"),
        arguments("backup @/shop.hf @/new.hf --rate -5", USAGE, "holdfast backup --help"),
        arguments("dump @/shop.hf places --limit -1", USAGE, "holdfast dump --help"),
        arguments("stat @/used.hf --count -3", USAGE, "holdfast stat --help"),
        arguments("log @/shop.hf --entries=-3", USAGE, "holdfast log --help"),
        arguments("info @/shop.hf --last-crash --entries=-3", USAGE, "holdfast info --help"),
        // a store that is in use, and one that isn't
        arguments("verify @/used.hf", IN_USE, "holdfast backup @/used.hf @/used.hf.backup"),
        arguments("export @/used.hf", IN_USE, "holdfast backup @/used.hf @/used.hf.backup"),
        arguments("salvage @/used.hf @/n.hf", IN_USE, "holdfast backup @/used.hf @/used.hf.backup"),
        arguments("compact @/used.hf @/n.hf", IN_USE, "holdfast backup @/used.hf @/used.hf.backup"),
        arguments("recover @/used.hf", IN_USE, "holdfast stat @/used.hf"),
        arguments("stat @/shop.hf", REFUSED, "holdfast info @/shop.hf"),
        // a file that is missing, or in the way
        arguments("info @/no.hf", REFUSED, "ls -l @"),
        arguments("recover @/no.hf", REFUSED, "ls -l @"),
        arguments("backup @/no.hf @/new.hf", REFUSED, "ls -l @"),
        arguments("backup @/shop.hf @/no/new.hf", REFUSED, "ls -l @"),
        arguments("stat @/no.hf", REFUSED, "ls -l @"),
        arguments("backup @/shop.hf @/sorted.hf", REFUSED, "ls -l @/sorted.hf"),
        arguments("restore @/shop.hf @/sorted.hf", REFUSED, "ls -l @/sorted.hf"),
        arguments("compact @/shop.hf @/sorted.hf", REFUSED, "ls -l @/sorted.hf"),
        arguments("compact @/shop.hf @/no/such/new.hf", REFUSED, "ls -l @"),
        arguments("salvage @/shop.hf @/sorted.hf", REFUSED, "ls -l @/sorted.hf"),
        arguments("export @/shop.hf --to @/text.txt", REFUSED, "ls -l @/text.txt"),
        arguments("import @/sorted.hf --from @/text.txt", REFUSED, "ls -l @/sorted.hf"),
        arguments("import @/new.hf --from @/no.txt", REFUSED, "ls -l @"),
        arguments("import @/new.hf --from @", REFUSED, "ls -l @"),
        arguments("import @/new.hf --from @/damaged.hf", REFUSED, "ls -l @/damaged.hf"),
        // no region, or one that can't be read
        arguments("info @/text.txt", REFUSED, "file @/text.txt"),
        arguments("verify @/text.txt", REFUSED, "file @/text.txt"),
        arguments("import @/new.hf --from @/text.txt", REFUSED, "holdfast import --help"),
        arguments("dump @/newer.hf novel", REFUSED, "holdfast info @/newer.hf"),
        arguments("compact @/newer.hf @/new.hf", REFUSED, "holdfast info @/newer.hf"),
        arguments("compact @/sorted.hf @/new.hf", REFUSED, "holdfast info @/sorted.hf"),
        // damage
        arguments(
            "info @/damaged.hf", DAMAGED, "holdfast salvage @/damaged.hf @/damaged.hf.salvaged"),
        arguments(
            "restore @/damaged.hf @/n.hf",
            DAMAGED,
            "holdfast salvage @/damaged.hf @/damaged.hf.salvaged"),
        arguments("salvage @/rootless.hf @/new.hf", DAMAGED, "holdfast restore --help"));
  }

  @ParameterizedTest(name = "{index} {0}")
  @MethodSource("refusals")
  void theNextCommandIsNamed(String line, int code, String next) {
    try (Holdfast used = Holdfast.open(path("used.hf"))) {
      CommandRun run = CommandRun.of((Object[]) split(line));

      assertThat(run.exitCode()).as(run.err()).isEqualTo(code);
      List<String> said = run.err().lines().toList();
      assertThat(said.getLast()).isEqualTo("next: " + next.replace("@", directory.toString()));
      assertThat(said.getFirst()).startsWith("holdfast: ");
      assertCanBeTyped(next);
      used.sync();
    }
  }

  private String[] split(String line) {
    return line.isEmpty() ? new String[0] : line.replace("@", directory.toString()).split(" ");
  }

  /// What is typed next need not succeed, but is a command.
  private void assertCanBeTyped(String next) {
    String[] words = split(next);
    if (words[0].equals("holdfast")) {
      HoldfastCommand.commandLine().parseArgs(Arrays.copyOfRange(words, 1, words.length));
    } else {
      assertThat(words[0]).isIn("ls", "file", "df");
    }
  }

  /// What few situations lead to: a full device, a store that was closed while it was copied.
  @Test
  void aFailureOfAnyKindIsRefused() {
    CommandLine line = HoldfastCommand.commandLine();
    line.parseArgs("info", "shop.hf");
    RegionCommand command = line.getSubcommands().get("info").getCommand();
    for (Exception each :
        List.of(
            new RegionFullException("full", null),
            new HoldfastException("of a kind that is not known"),
            new CodecException("bytes"),
            new IOException("no space left"))) {
      assertThat(Refusals.asRefusal(each, command)).as(each.toString()).isNotNull();
    }
    assertThat(Refusals.asRefusal(new IllegalStateException("a bug"), command)).isNull();
  }
}
