/// The redo log: what must survive a loss of power is durable here before it is in the region.
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
