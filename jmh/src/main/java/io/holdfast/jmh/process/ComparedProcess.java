package io.holdfast.jmh.process;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What comparisons of maps and of trees have in common: the same process for each.
///
/// | flag | why |
/// |---|---|
/// | `-Xms2g -Xmx2g` | the ceiling holds all its entries in the heap, and must not be slowed by a small one |
/// | `-XX:+AlwaysPreTouch` | the first store to a page of the heap is the kernel's time, and some allocate more than others |
/// | `--enable-native-access` | `HoldfastPower` writes lines back; LMDB, RocksDB and Chronicle Map call native code |
/// | `--sun-misc-unsafe-memory-access=allow` | Chronicle Map's and LMDB's access to memory is `sun.misc.Unsafe`'s |
/// | exports and opens | asked for by Chronicle's documentation; those of `java.nio` and `sun.nio.ch` by LmdbJava's |
/// | `chronicle.analytics.disable` | else it reports its use to a server on the Internet while it is measured |
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-Xms2g",
      "-Xmx2g",
      "-XX:+AlwaysPreTouch",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow",
      "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
      "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
      "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
      "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
      "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
      "--add-opens=java.base/java.io=ALL-UNNAMED",
      "--add-opens=java.base/java.util=ALL-UNNAMED",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
      "-Dchronicle.analytics.disable=true"
    })
public abstract class ComparedProcess {}
