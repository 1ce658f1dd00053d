package io.holdfast.core;

/// The failure that a region is opened to survive. The caller names the failure, never the
/// mechanism.
///
/// Wherever Holdfast says _durable_, it means: will be seen after recovery from this failure.
public enum Durability {
  /// Anything that ends the JVM at any instruction: `kill -9`, the OOM killer, a crash of the VM,
  /// `Runtime.halt`. The operating system goes on and keeps the pages of the mapped file, so that
  /// nothing on a store's path is a flush, a fence or a system call.
  PROCESS_CRASH,

  /// Also a crash of the operating system and a loss of power. On a disk it costs a write that
  /// waits for the device, one for all who wait at the same time, and a log beside the file while
  /// it is open; on persistent memory, write-backs and fences. A file system in memory (tmpfs) is
  /// taken for a disk, and nothing on it survives a restart: `holdfast doctor DIR` tells.
  POWER_FAILURE
}
