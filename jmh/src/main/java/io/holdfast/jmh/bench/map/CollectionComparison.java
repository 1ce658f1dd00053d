package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.BenchmarkMap.LongAccess;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Param;

/// What comparisons of maps and of trees have in common: a collection in a directory of its own.
public abstract class CollectionComparison<M extends BenchmarkMap> extends ComparedProcess {
  @Param("1000000")
  public int entries;

  private Scratch scratch;
  private M opened;

  /// Opens or creates the collection.
  protected abstract M open(Path directory, MapShape shape);

  /// Creates the collection.
  protected final void create(MapShape shape) {
    scratch = new Scratch();
    opened = open(scratch.directory(), shape);
  }

  protected final M opened() {
    return opened;
  }

  /// Puts items into it.
  protected final void insert(int from, int count) {
    LongAccess access = opened.longs();
    for (int i = from; i < from + count; i++) {
      access.put(Items.longKey(i), i);
    }
  }

  /// Closes the collection and deletes its files.
  protected final void delete() {
    opened.close();
    scratch.close();
  }
}
