package io.holdfast.jmh.bench;

import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.region.Region;
import io.holdfast.jmh.process.Scratch;
import org.openjdk.jmh.annotations.TearDown;

/// A region in a file of its own, while a benchmark runs.
public abstract class OpenRegion {
  Region region;
  private Scratch scratch;
  private RegionFile file;

  final void open(DomainFinder domain) {
    scratch = new Scratch();
    file = RegionFile.open(scratch.file("region.hf"), domain);
    region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
  }

  @TearDown
  public final void close() {
    region.close();
    file.close();
    scratch.close();
  }
}
