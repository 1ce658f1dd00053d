/// The redo log of a region on a disk: what must survive a loss of power is durable here before it
/// is in the region's file.
///
/// {@link io.holdfast.core.redo.Disks} opens a region; {@link io.holdfast.core.redo.LoggedFile} is
/// its file and its log, {@link io.holdfast.core.redo.RedoMemory} what it is to those above, {@link
/// io.holdfast.core.redo.RedoStreams} the stores that the log does not have yet, {@link
/// io.holdfast.core.redo.RedoLog} the group commit, {@link io.holdfast.core.redo.Checkpoint} how
/// the file follows. {@link io.holdfast.core.redo.QuietPoint} compares the image with file and log,
/// for tests.
///
/// {@link io.holdfast.core.redo.BatchLog} is a ring of checksummed batches in a file of its own,
/// over the {@link io.holdfast.core.disk.Disk}. Its format is that of {@link
/// io.holdfast.core.redo.LogHeader} and {@link io.holdfast.core.redo.Batch}. What a batch holds is
/// not its business.
///
/// | word | meaning |
/// |---|---|
/// | batch | what one group commit wrote, in one write |
/// | epoch | the commits that become durable together; one batch, or several if they are long |
/// | START | the first batch that replay needs; what is before it is in the region, durably |
/// | mark | where a batch is, or will be: what START is set to |
/// | lap | one way round the ring |
package io.holdfast.core.redo;
