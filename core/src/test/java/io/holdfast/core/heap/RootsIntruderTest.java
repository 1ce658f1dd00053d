package io.holdfast.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Two threads in one directory of roots, one of them in the middle of what the other does.
class RootsIntruderTest {
  private static Region open(Memory memory) {
    Region region = Words.open(memory);
    create(region, "one");
    create(region, "two");
    return region;
  }

  private static void create(Region region, String name) {
    region.roots().create(name, "test", "", 7, () -> region.heap().allocate(64));
  }

  /// What the directory says, and what it says to the next process.
  private static List<Object> state(Region region) {
    List<Object> state = new ArrayList<>();
    state.add(names(region));
    long[] blocks = new long[1];
    region.roots().forEachBlock(block -> blocks[0]++);
    state.add(blocks[0]);
    RecordingMemory image = ((RecordingMemory) region.memory().reopen()).copy();
    try (Region again = Words.open(image)) {
      state.add(names(again));
      again.roots().forEachBlock(block -> blocks[0]--);
      assertThat(blocks[0]).isZero();
    }
    return state;
  }

  private static List<String> names(Region region) {
    return region.roots().all().stream().map(RootsIntruderTest::shown).toList();
  }

  private static String shown(Root root) {
    return root.name() + " " + root.fingerprint();
  }

  private static final Intruder<Region> INTRUDER =
      new Intruder<>(RootsIntruderTest::open, RootsIntruderTest::state);

  private static Function<Region, Object> creating(String name) {
    return region -> {
      create(region, name);
      return "created";
    };
  }

  private static Function<Region, Object> renaming(String name, String newName) {
    return region -> {
      region.roots().rename(name, newName);
      return "renamed";
    };
  }

  private static Function<Region, Object> changing(String name, String fingerprint) {
    return region -> {
      region.roots().changeFingerprint(name, fingerprint);
      return "changed";
    };
  }

  private static Function<Region, Object> deleting(String name) {
    return region -> region.roots().delete(name);
  }

  /// As an operation of a collection does.
  private static Function<Region, Object> deletingInASection(String name) {
    return region ->
        region
            .roots()
            .delete(
                name,
                deletion -> {
                  SectionHooks.enter();
                  try {
                    return deletion.getAsBoolean();
                  } finally {
                    SectionHooks.exit();
                  }
                });
  }

  /// As the store frees a collection of one block.
  private static Function<Region, Object> disposing() {
    return region ->
        region
            .roots()
            .disposeSome(
                root -> {
                  region.heap().free(root.firstBlock());
                  return true;
                });
  }

  @Test
  void creations() throws Exception {
    assertThat(INTRUDER.inAnyOrder(creating("three"), creating("four"))).isGreaterThan(5);
  }

  @Test
  void renames() throws Exception {
    INTRUDER.inAnyOrder(renaming("one", "first"), renaming("two", "second"));
    INTRUDER.inAnyOrder(renaming("one", "first"), creating("three"));
  }

  @Test
  void fingerprints() throws Exception {
    INTRUDER.inAnyOrder(changing("one", "other"), renaming("two", "second"));
    INTRUDER.inAnyOrder(changing("one", "other"), creating("three"));
  }

  @Test
  void deletions() throws Exception {
    INTRUDER.inAnyOrder(deleting("one"), deleting("two"));
    INTRUDER.inAnyOrder(deleting("one"), creating("three"));
  }

  @Test
  void deletionsInAnOperation() throws Exception {
    INTRUDER.inAnyOrder(deletingInASection("one"), creating("three"));
    INTRUDER.inAnyOrder(deletingInASection("one"), deletingInASection("two"));
  }

  @Test
  void disposals() throws Exception {
    Intruder<Region> deleted =
        new Intruder<>(
            memory -> {
              Region region = open(memory);
              region.roots().delete("one");
              return region;
            },
            RootsIntruderTest::state);
    deleted.inAnyOrder(disposing(), deleting("two"));
    deleted.inAnyOrder(disposing(), creating("three"));
  }

  @FunctionalInterface
  private interface Look {
    Collection<Root> at(RootDirectory roots);
  }

  /// ROOT-2: who has found a root that is being created, and has stored something since, finds it
  /// in the next process.
  @Test
  void root2WhatIsFoundIsThere() throws Exception {
    checkFound(roots -> roots.find("three") == null ? List.of() : List.of(roots.find("three")));
    checkFound(RootDirectory::all);
  }

  private static void checkFound(Look look) throws Exception {
    for (int store = 0; isFoundBefore(store, look); store++) {
      // The next one.
    }
  }

  /// @return whether there was such a store
  private static boolean isFoundBefore(int store, Look look) throws Exception {
    RecordingMemory bytes = new RecordingMemory();
    HookedMemory memory = new HookedMemory(bytes);
    try (Region region = open(memory)) {
      Words.create(region, 1);
      Thread own = Thread.currentThread();
      Thread finder =
          Thread.ofPlatform()
              .daemon()
              .unstarted(
                  () -> {
                    boolean found =
                        look.at(region.roots()).stream().anyMatch(r -> r.name().equals("three"));
                    region.sections().write(Words.at(region, 0), found ? 1 : 2);
                  });
      int[] stores = {0};
      memory.beforeEachStore(
          () -> {
            if (Thread.currentThread().equals(own) && stores[0]++ == store) {
              finder.start();
              Intruder.awaitEndOrWait(finder);
              Intruder.outside(() -> checkImage(bytes.copy())); // the process is killed here
            }
          });
      create(region, "three");
      memory.beforeEachStore(() -> {});
      if (stores[0] <= store) {
        return false;
      }
      finder.join();
      assertThat(Words.read(region, 0)).isPositive();
      checkImage(bytes.copy());
      return true;
    }
  }

  private static void checkImage(RecordingMemory image) {
    try (Region again = Words.open(image)) {
      if (Words.read(again, 0) == 1) {
        assertThat(again.roots().find("three")).isNotNull();
      }
    }
  }
}
