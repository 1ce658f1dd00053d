package io.holdfast.core.section;

import io.holdfast.core.section.commit.UncommittedReleases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Makes locks whose stripes differ, so that each has the dependencies that it should and no more.
public final class Stripes {
  /// @param keys what stands for a lock in dependencies
  public static <T> List<T> distinct(
      int count, Supplier<T> newLock, Function<T, List<Object>> keys) {
    List<T> locks = new ArrayList<>();
    Set<Integer> taken = new HashSet<>();
    while (locks.size() < count) {
      T lock = newLock.get();
      List<Integer> stripes = keys.apply(lock).stream().map(UncommittedReleases::stripeOf).toList();
      Set<Integer> both = new HashSet<>(taken);
      both.addAll(stripes);
      if (both.size() == taken.size() + stripes.size()) {
        taken = both;
        locks.add(lock);
      }
    }
    return locks;
  }

  /// A lock whose stripe is none of theirs.
  public static Object apartFrom(List<Object> locks) {
    List<Integer> theirs = locks.stream().map(UncommittedReleases::stripeOf).toList();
    Object lock = new Object();
    while (theirs.contains(UncommittedReleases.stripeOf(lock))) {
      lock = new Object();
    }
    return lock;
  }

  private Stripes() {}
}
