package io.holdfast.core.guarantees;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A scene in a region.
final class RegionScene implements Scene, AutoCloseable {
  private final Region region;
  private final Map<String, Long> transients = new ConcurrentHashMap<>();

  RegionScene(Region region) {
    this.region = region;
  }

  Region region() {
    return region;
  }

  void create() {
    Words.create(region, NUMBERS + POINTERS);
  }

  @Override
  public void acquire(Object lock) {
    SectionHooks.acquired(lock);
  }

  @Override
  public void release(Object lock) {
    SectionHooks.releasing(lock);
  }

  @Override
  public void observe(Object key) {
    SectionHooks.observed(key);
  }

  @Override
  public void enter() {
    SectionHooks.enterBlock();
  }

  @Override
  public void exit() {
    SectionHooks.exitBlock();
  }

  @Override
  public long read(int word) {
    return Words.read(region, word);
  }

  @Override
  public void write(int word, long value) {
    Words.write(region, word, value);
  }

  @Override
  public long allocate() {
    return region.heap().allocate(Long.BYTES);
  }

  @Override
  public void fill(long block, long number) {
    region.memory().writePlain(block, number);
  }

  @Override
  public Map<String, Long> transients() {
    return transients;
  }

  @Override
  public List<Long> visible() {
    List<Long> words = Words.read(region, 0, NUMBERS + POINTERS);
    List<Long> visible = new ArrayList<>(words.subList(0, NUMBERS));
    for (long block : words.subList(NUMBERS, words.size())) {
      visible.add(block == 0 ? 0 : region.memory().readPlain(block));
    }
    return visible;
  }

  /// Uses the store as a program would after a crash: in sections, until they are durable. A block
  /// that a pointer leads to can be given back, so it is allocated.
  void goOn() {
    for (int pointer = NUMBERS; pointer < NUMBERS + POINTERS; pointer++) {
      long block = read(pointer);
      if (block != 0) {
        int word = pointer;
        Words.atomically(
            () -> {
              region.heap().free(block);
              for (int each = word; each < NUMBERS + POINTERS; each++) {
                if (read(each) == block) {
                  write(each, 0);
                }
              }
            });
      }
    }
    Words.atomically(
        () -> {
          for (int word = 0; word < NUMBERS; word++) {
            write(word, read(word) + 1);
          }
        });
    region.sections().sync();
  }

  @Override
  public void close() {
    region.close();
  }
}
