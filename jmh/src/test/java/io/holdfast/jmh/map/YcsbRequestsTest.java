package io.holdfast.jmh.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.map.BenchmarkTree.SortedBytes;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YcsbRequestsTest {
  private static final int ENTRIES = 1_000;
  private static final int REQUESTS = 20_000;

  /// Counts, and requires that each key that is read is there.
  private static final class Counting implements SortedBytes {
    private final Map<byte[], byte[]> map = new TreeMap<>(Arrays::compareUnsigned);
    private int gets;
    private int scans;
    private int puts;

    @Override
    public void put(byte[] key, byte[] value) {
      puts++;
      map.put(key, value);
    }

    @Override
    public byte[] get(byte[] key) {
      gets++;
      assertThat(map).containsKey(key);
      return map.get(key);
    }

    @Override
    public byte[] scan(byte[] from, int count) {
      scans++;
      assertThat(count).isBetween(1, 100);
      return get(from);
    }

    @Override
    public int scanBack() {
      throw new AssertionError("YCSB does not");
    }

    @Override
    public void remove(byte[] key) {
      throw new AssertionError("YCSB does not");
    }
  }

  /// Of two clients of one map, as YCSB's Table 2 has it.
  @ParameterizedTest
  @CsvSource({
    "A, 0.5, 0, 0.5, 0",
    "B, 0.95, 0, 0.05, 0",
    "C, 1, 0, 0, 0",
    "D, 0.95, 0, 0.05, 0.05",
    "E, 0.95, 0.95, 0.05, 0.05",
    "F, 1, 0, 0.5, 0",
    "A_UNIFORM, 0.5, 0, 0.5, 0",
  })
  void sharesAreThoseOfYcsb(
      Workload workload, double gets, double scans, double puts, double inserts) {
    Counting map = new Counting();
    for (int i = 0; i < ENTRIES; i++) {
      map.put(Items.key(i), Items.value(i, 100));
    }
    map.puts = 0;
    for (int client = 0; client < 2; client++) {
      YcsbRequests requests = new YcsbRequests(workload, ENTRIES, 100, client, 2);
      for (int i = 0; i < REQUESTS / 2; i++) {
        assertThat(requests.run(map)).hasSize(100);
      }
    }
    assertThat((double) map.gets / REQUESTS).isCloseTo(gets, within(0.01));
    assertThat((double) map.scans / REQUESTS).isCloseTo(scans, within(0.01));
    assertThat((double) map.puts / REQUESTS).isCloseTo(puts, within(0.01));
    double grown = map.map.size() - ENTRIES;
    assertThat(grown / REQUESTS).isCloseTo(inserts, within(0.01));
  }
}
