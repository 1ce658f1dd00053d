package io.holdfast.testkit;

import io.holdfast.testkit.Event.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/// Which sets of stores a crash of the process can leave on media together. Flushes and fences are
/// nothing: what reached the cache stays.
///
/// - **MODEL-1** Stores to the same byte keep their order.
/// - **MODEL-2** A release store comes after every store before it.
/// - **MODEL-3** A plain store may move above every store before it, release or not, as far as the
///   last fence.
/// - **MODEL-4** Nothing moves across a release fence, a growth (a system call), or the beginning
///   or end of a step, or a note, where real code takes or releases a lock.
///
/// So between two barriers, a *window*, a set is a number of release stores with all that precedes
/// the last of them, and any of the plain stores after that are not held back by MODEL-1. Sets in
/// which a plain store before a release store is missing differ from these in nothing: they are
/// those of an earlier release store.
final class ProcessCrash implements FailureModel {
  @Override
  public boolean heedsFlushes() {
    return false;
  }

  @Override
  public boolean forEachCut(
      List<Event> events, Bounds bounds, Random random, Consumer<Cut> consumer) {
    return new Walk(events, new Choice(bounds, random), consumer).run();
  }

  @Override
  public boolean isPossible(List<Event> events, Cut cut) {
    if (cut.early().length == 0) {
      return true;
    }
    int next = 0;
    Map<Long, Long> skipped = new HashMap<>(); // word to mask
    for (int i = cut.prefix(); next < cut.early().length; i++) {
      Event event = events.get(i);
      if (!event.isStore()) {
        return false;
      }
      boolean done = cut.early()[next] == i;
      if (done) {
        next++;
        if (event.kind() != Kind.PLAIN
            || (skipped.getOrDefault(event.at(), 0L) & event.mask()) != 0) {
          return false;
        }
      } else {
        skipped.merge(event.at(), event.mask(), (a, b) -> a | b);
      }
    }
    return true;
  }

  private final class Walk {
    private final List<Event> events;
    private final Choice choice;
    private final Consumer<Cut> consumer;

    Walk(List<Event> events, Choice choice, Consumer<Cut> consumer) {
      this.events = events;
      this.choice = choice;
      this.consumer = consumer;
    }

    boolean run() {
      int from = 0;
      while (from < events.size()) {
        int to = from;
        while (to < events.size() && events.get(to).isStore()) {
          to++;
        }
        window(from, to);
        consumer.accept(Cut.at(to));
        if (to < events.size() && events.get(to).kind() == Kind.GROWTH) {
          for (long length : FailureModel.partialLengths(events.get(to))) {
            consumer.accept(Cut.at(to).withLength(length));
          }
        }
        from = to + 1;
      }
      consumer.accept(Cut.at(events.size()));
      return choice.tookAll();
    }

    private void window(int from, int to) {
      List<Integer> points = new ArrayList<>();
      points.add(from);
      for (int i = from; i < to; i++) {
        if (events.get(i).kind() == Kind.RELEASE) {
          points.add(i + 1);
        }
      }
      for (int chosen : choice.some(points.size(), choice.bounds().pointsMax())) {
        point(points.get(chosen), to);
      }
    }

    private void point(int prefix, int to) {
      List<Integer> free = new ArrayList<>();
      Map<Long, Long> heldBack = new HashMap<>(); // word to mask
      for (int i = prefix; i < to; i++) {
        Event event = events.get(i);
        boolean held = (heldBack.getOrDefault(event.at(), 0L) & event.mask()) != 0;
        if (held || event.kind() == Kind.RELEASE) {
          heldBack.merge(event.at(), event.mask(), (a, b) -> a | b); // MODEL-1
        } else {
          free.add(i);
        }
      }
      if (free.size() <= choice.bounds().exhaustiveStores()) {
        for (int bits = 0; bits < 1 << free.size(); bits++) {
          int chosen = bits;
          accept(prefix, free, i -> (chosen >>> i & 1) != 0);
        }
      } else {
        sample(prefix, free);
      }
    }

    private void sample(int prefix, List<Integer> free) {
      choice.leftOut();
      accept(prefix, free, i -> false);
      for (int pick : choice.some(free.size(), choice.bounds().picks())) {
        accept(prefix, free, i -> i == pick);
        accept(prefix, free, i -> i != pick);
        accept(prefix, free, i -> i < pick);
      }
      for (int sample = 0; sample < choice.bounds().samples(); sample++) {
        double density = choice.random().nextDouble();
        accept(prefix, free, i -> choice.random().nextDouble() < density);
      }
      accept(prefix, free, i -> true);
    }

    /// A set, unless it breaks MODEL-1.
    private void accept(int prefix, List<Integer> free, IntPredicate isEarly) {
      int[] early = new int[free.size()];
      int count = 0;
      for (int i = 0; i < free.size(); i++) {
        if (isEarly.test(i)) {
          early[count++] = free.get(i);
        }
      }
      Cut cut = Cut.at(prefix).withEarly(Arrays.copyOf(early, count));
      if (isPossible(events, cut)) {
        consumer.accept(cut);
      }
    }
  }
}
