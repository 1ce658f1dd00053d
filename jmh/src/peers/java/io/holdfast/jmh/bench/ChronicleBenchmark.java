package io.holdfast.jmh.bench;

import org.openjdk.jmh.annotations.Fork;

/// What Chronicle's benchmarks have in common: the flags without which it does not run on JDK 25.
///
/// | flag | why |
/// |---|---|
/// | exports and opens | asked for by Chronicle's documentation for JDK 17 and newer; without those of `java.base` it fails, those of the compiler are for its generated method readers |
/// | `--sun-misc-unsafe-memory-access=allow` | its memory access is `sun.misc.Unsafe`'s, of which JDK 24 and newer warn |
/// | `--enable-native-access` | it calls native code through JNA and JNR |
/// | `chronicle.analytics.disable` | else it reports its use to a server on the Internet while it is measured |
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
      "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
      "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
      "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
      "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
      "--add-opens=java.base/java.io=ALL-UNNAMED",
      "--add-opens=java.base/java.util=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow",
      "--enable-native-access=ALL-UNNAMED",
      "-Dchronicle.analytics.disable=true"
    })
public abstract class ChronicleBenchmark {}
