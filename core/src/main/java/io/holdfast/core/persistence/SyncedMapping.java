package io.holdfast.core.persistence;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.util.List;
import jdk.nio.mapmode.ExtendedMapMode;

/// The domain of persistent memory without native calls of our own: the JDK writes lines back when
/// a segment is forced that is mapped `READ_WRITE_SYNC` (JEP 352). Each flush is a fence as well,
/// so it is the last resort.
///
/// A JVM without C2 crashes in such a force (FACTS 2), so there it is refused.
final class SyncedMapping extends CountedDomain {
  private final String refusals;

  /// @param refusals why no better way was chosen
  /// @throws UnsupportedOperationException if this JVM would crash
  SyncedMapping(String refusals) {
    this.refusals = refusals;
    String vm = System.getProperty("java.vm.info", "");
    if (!hasC2(vm, ManagementFactory.getRuntimeMXBean().getInputArguments())) {
      throw new UnsupportedOperationException(
          "a forced mapping crashes a JVM that runs without C2 (%s)".formatted(vm));
    }
  }

  /// Whether a JVM compiles with C2.
  ///
  /// @param vm as in the system property `java.vm.info`
  static boolean hasC2(String vm, List<String> arguments) {
    return vm.startsWith("mixed mode")
        && !vm.contains("emulated-client")
        && arguments.stream()
            .noneMatch(argument -> argument.matches("-XX:TieredStopAtLevel=[0-3]"));
  }

  @Override
  public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException {
    return channel.map(ExtendedMapMode.READ_WRITE_SYNC, start, length, arena);
  }

  @Override
  public void flush(MemorySegment segment, long offset, long length) {
    if (length > 0) {
      segment.asSlice(offset, length).force();
      long before = offset & LINE_BYTES - 1;
      tally.flushed((length + before + LINE_BYTES - 1) / LINE_BYTES, length);
    }
  }

  @Override
  public void fence() {
    tally.fenced(); // each flush has waited
  }

  @Override
  public String toString() {
    return "cache line by a forced mapping (%s)".formatted(refusals);
  }
}
