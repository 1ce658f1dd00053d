package io.holdfast.core.redo;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.core.memory.RegionLayout;
import java.lang.management.ManagementFactory;

/// How many pages of memory an image may have of its own, before it is renewed.
///
/// @param least so many in any case
/// @param memoryPart of the memory that the system, or the container, has: one in so many
record ImageBudget(int least, int memoryPart) {
  /// An eighth of the memory, at least 64 MiB.
  static final ImageBudget OF_MEMORY = new ImageBudget((64 << 20) / RegionLayout.PAGE_BYTES, 8);

  /// Asks the system, which takes some milliseconds.
  int pages() {
    long memory =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    long pages = memory / memoryPart / RegionLayout.PAGE_BYTES;
    return Math.clamp(pages, least, Integer.MAX_VALUE / 4);
  }
}
