package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Shows CACHE-1, CACHE-2.
class LruCacheTest extends OneLockContract<LruCache> {
  /// Smaller, so that every crash can be tried: keys 1 and 2 are in it, 2 is the newer one.
  @Override
  LruCache over(ProgramMemory memory) {
    return new LruCache(memory, 50, 2);
  }

  /// A get that moves an item, one that finds nothing, an eviction, and a set of what is there.
  @Override
  List<Consumer<LruCache>> operations() {
    return List.of(
        cache -> cache.section(LruCache.GET, 1),
        cache -> cache.section(LruCache.GET, 3),
        cache -> cache.section(LruCache.SET, 3),
        cache -> cache.section(LruCache.SET, 1));
  }

  @Test
  void theLeastRecentlyUsedIsEvicted() {
    try (LruCache cache = over(memory(ProgramMode.NONE))) {
      assertThat(cache.content()).containsExactly(2L, 2L, 1L, 1L, 2L);
      cache.section(LruCache.GET, 1);
      cache.section(LruCache.SET, 3);
      assertThat(cache.content()).containsExactly(3L, 3L, 1L, 1L, 3L);
      cache.section(LruCache.SET, 1);
      assertThat(cache.content()).containsExactly(1L, 4L, 3L, 3L, 4L);
    }
  }

  @Test
  void aShareOfTheOperationsIsSets() {
    try (LruCache cache = new LruCache(memory(ProgramMode.NONE), 5)) {
      long before = cache.content().getLast();
      cache.run(0, 10_000);
      assertThat(cache.content().getLast() - before).isBetween(400L, 600L);
    }
  }
}
