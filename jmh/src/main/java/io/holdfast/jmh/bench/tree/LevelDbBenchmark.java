package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.map.BenchmarkTree;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// A time is that of a whole run over a new tree, by one thread. `HoldfastTree` survives the death
/// of the process, `HoldfastTreePower` flushes and fences as on persistent memory, which the file
/// is not; `HoldfastTreeDisk` waits for the device with each transaction, and `HoldfastTreeRelaxed`
/// leaves that to the log. Peers wait for no device, and with `Power` after their names for each
/// transaction.
@Experiment(
    question =
        "what do LMDB's mtest and LevelDB's fillseqsync and fillrandsync take in each durability"
            + " (the Atlas paper's Table 3: disk, DRAM, NVRAM)?",
    floor = "`ConcurrentSkipListMap`, which keeps the very objects and survives nothing",
    variables = "the workload; the tree, and with that what its transactions survive")
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class LevelDbBenchmark extends ComparedProcess {
  @Param public LevelDbWorkload workload;

  @Param({
    "ConcurrentSkipListMap",
    "HoldfastTree",
    "HoldfastTreePower",
    "HoldfastTreeRelaxed",
    "HoldfastTreeDisk",
    "LMDB",
    "MVStore",
    "Xodus",
    "LMDBPower",
    "MVStorePower",
    "XodusPower"
  })
  public String tree;

  private Scratch scratch;
  private BenchmarkTree opened;

  @Setup(Level.Iteration)
  public void open() {
    scratch = new Scratch();
    opened = Trees.open(tree, scratch.directory(), workload.shape());
  }

  @TearDown(Level.Iteration)
  public void close() {
    opened.close();
    scratch.close();
  }

  @Benchmark
  public void run() {
    workload.run(opened.bytes(), workload.pairs);
  }

  static String name(LevelDbWorkload workload, String tree) {
    return "LevelDbBenchmark.run(tree=%s,workload=%s)".formatted(tree, workload);
  }
}
