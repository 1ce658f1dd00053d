package io.holdfast.jmh.bench.program;

import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.redo.Disks;
import io.holdfast.core.region.Region;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMemory;
import io.holdfast.jmh.atlas.SectionMemory;
import io.holdfast.jmh.process.Scratch;
import java.util.function.Function;

/// What an operation of a program takes of the redo log by which regions on disks survive a loss of
/// power, counted by the library's own engine. Of a program of one thread.
///
/// @param bytes of records, if each section is waited for
/// @param writes of the device that are waited for
/// @param bytesTogether of records if only the last section is waited for, so that batches hold
///   what many have stored. It depends a little on when the log's thread makes room
record DiskRedo(double bytes, double writes, double bytesTogether) {
  private static final int OPERATIONS = 1_200;
  private static final int LOG_BYTES = 1 << 23;

  static DiskRedo count(Function<ProgramMemory, Program> maker) {
    PersistenceCounts each = count(maker, 1);
    PersistenceCounts together = count(maker, OPERATIONS);
    return new DiskRedo(
        (double) each.bytes() / OPERATIONS,
        (double) each.fences() / OPERATIONS,
        (double) together.bytes() / OPERATIONS);
  }

  /// @param at a time: operations after which the device is waited for
  private static PersistenceCounts count(Function<ProgramMemory, Program> maker, int at) {
    try (Scratch scratch = new Scratch();
        RegionFile file =
            RegionFile.openOn(
                scratch.file("redo"),
                Disks.logged(Disk.local(), LOG_BYTES, Durability.POWER_FAILURE));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
        Program program = maker.apply(SectionMemory.of(region))) {
      region.sections().sync();
      PersistenceCounts before = file.persistence();
      for (int done = 0; done < OPERATIONS; done += at) {
        program.run(0, at);
        region.sections().sync(); // or the last batch would still be to be written
      }
      return file.persistence().since(before);
    }
  }
}
