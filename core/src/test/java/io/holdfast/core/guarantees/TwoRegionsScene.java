package io.holdfast.core.guarantees;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.StoreOpener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A scene in two regions: a program's locks and threads are the same for both, its even words are
/// in one and its odd words in the other.
final class TwoRegionsScene implements Scene, AutoCloseable {
  private static final long HALF_BYTES = RegionLayout.MIN_BYTES;

  private final List<RegionScene> regions;

  private TwoRegionsScene(RegionScene even, RegionScene odd) {
    regions = List.of(even, odd);
  }

  /// Opens both regions in one memory, which a crash then stops at one moment.
  static final class Opener implements StoreOpener<Scene> {
    @Override
    public Class<Scene> type() {
      return Scene.class;
    }

    @Override
    public Scene open(Memory memory, Durability durability) {
      if (memory.length() == 0) {
        memory.grow(2 * HALF_BYTES);
      }
      return new TwoRegionsScene(half(memory, 0, durability), half(memory, 1, durability));
    }

    private static RegionScene half(Memory memory, int number, Durability durability) {
      Memory half = new HalfMemory(memory, number * HALF_BYTES, HALF_BYTES);
      boolean ordered = durability == Durability.POWER_FAILURE;
      return new RegionScene(Region.open(ordered ? FlushMode.POSTED.over(half) : half, HALF_BYTES));
    }
  }

  void create() {
    regions.forEach(RegionScene::create);
  }

  private RegionScene of(int word) {
    return regions.get(word % 2);
  }

  @Override
  public void acquire(Object lock) {
    of(0).acquire(lock);
  }

  @Override
  public void release(Object lock) {
    of(0).release(lock);
  }

  @Override
  public void observe(Object key) {
    of(0).observe(key);
  }

  @Override
  public void enter() {
    of(0).enter();
  }

  @Override
  public void exit() {
    of(0).exit();
  }

  @Override
  public long read(int word) {
    return of(word).read(word);
  }

  @Override
  public void write(int word, long value) {
    of(word).write(word, value);
  }

  @Override
  public long allocate() {
    return of(0).allocate();
  }

  @Override
  public void fill(long block, long number) {
    of(0).fill(block, number);
  }

  @Override
  public Map<String, Long> transients() {
    return of(0).transients();
  }

  @Override
  public List<Long> visible() {
    List<List<Long>> visible = regions.stream().map(RegionScene::visible).toList();
    List<Long> words = new ArrayList<>();
    for (int word = 0; word < NUMBERS + POINTERS; word++) {
      words.add(visible.get(word % 2).get(word));
    }
    return words;
  }

  @Override
  public void close() {
    regions.forEach(RegionScene::close);
  }
}
