package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparseFileTest {
  @TempDir Path directory;

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      byte[] bytes = new byte[random.nextInt(5) * 4096 + random.nextInt(2) * random.nextInt(4096)];
      for (int i = 0; i < bytes.length && random.nextBoolean(); i += random.nextInt(5000)) {
        bytes[i] = (byte) random.nextInt();
      }
      int length = random.nextBoolean() ? bytes.length : random.nextInt(30_000);
      int sectorBytes = random.nextBoolean() ? CutDisk.SECTOR : 64;
      TreeMap<Integer, byte[]> sectors = new TreeMap<>();
      byte[] expected = Arrays.copyOf(bytes, 32_768);
      for (int i = random.nextInt(4); i > 0; i--) {
        byte[] sector = new byte[sectorBytes];
        random.nextBytes(sector);
        int number = random.nextInt(expected.length / sectorBytes);
        sectors.put(number, sector);
        System.arraycopy(sector, 0, expected, number * sectorBytes, sectorBytes);
      }

      Path file = directory.resolve("file");
      SparseFile.write(file, bytes, length, sectorBytes, sectors);

      assertThat(Files.readAllBytes(file))
          .as("round %d", round)
          .isEqualTo(Arrays.copyOf(expected, length));
    }
  }
}
