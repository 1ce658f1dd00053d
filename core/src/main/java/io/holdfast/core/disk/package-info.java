/// The seam to a disk: files that are read, written and made durable by system calls, not mapped.
///
/// {@link io.holdfast.core.disk.Disk} opens a {@link io.holdfast.core.disk.DiskFile}; {@link
/// io.holdfast.core.disk.LocalDisk} is the one of the operating system. Tests have others: one
/// records the calls, so that every image of a power cut can be made from them, one fails.
package io.holdfast.core.disk;
