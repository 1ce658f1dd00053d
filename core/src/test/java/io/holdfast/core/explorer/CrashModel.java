package io.holdfast.core.explorer;

import io.holdfast.core.explorer.Event.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Which sets of stores a crash of the process can leave on media together. Pure.
///
/// - **MODEL-1** Stores to the same byte keep their order.
/// - **MODEL-2** A release store comes after every store before it.
/// - **MODEL-3** A plain store may move above every store before it, release or not, as far as the
///   last fence.
/// - **MODEL-4** Nothing moves across a release fence, a growth (a system call), or the beginning
///   or end of a step, where real code takes or releases a lock.
///
/// So between two barriers, a *window*, a set is a number of release stores with all that precedes
/// the last of them, and any of the plain stores behind that are not held back by MODEL-1. Sets in
/// which a plain store before a release store is missing differ from these in nothing: they are
/// those of an earlier release store.
final class CrashModel {
  private static final int PAGE = 4096;

  private final List<Event> events;
  private final Bounds bounds;
  private final Random random;
  private final Consumer<Cut> consumer;

  private CrashModel(List<Event> events, Bounds bounds, Random random, Consumer<Cut> consumer) {
    this.events = events;
    this.bounds = bounds;
    this.random = random;
    this.consumer = consumer;
  }

  /// Calls a consumer with each set, in the order of their prefixes.
  static void forEachCut(List<Event> events, Bounds bounds, Random random, Consumer<Cut> consumer) {
    new CrashModel(events, bounds, random, consumer).run();
  }

  private void run() {
    int from = 0;
    while (from < events.size()) {
      int to = from;
      while (to < events.size() && events.get(to).isStore()) {
        to++;
      }
      window(from, to);
      consumer.accept(Cut.at(to));
      if (to < events.size() && events.get(to).kind() == Kind.GROWTH) {
        growth(to);
      }
      from = to + 1;
    }
    consumer.accept(Cut.at(events.size()));
  }

  /// A file that grew in part: nothing but zeros, that the header does not know of.
  private void growth(int at) {
    long before = events.get(at).at();
    long after = events.get(at).after();
    TreeSet<Long> lengths = new TreeSet<>();
    long firstPage = (before / PAGE + 1) * PAGE;
    lengths.add(firstPage);
    lengths.add((before + after) / 2 / PAGE * PAGE);
    lengths.add((before + after) / 2 / PAGE * PAGE + 100);
    lengths.add((after - 1) / PAGE * PAGE);
    for (long length : lengths) {
      if (length > before && length < after) {
        consumer.accept(new Cut(at, new int[0], length));
      }
    }
  }

  private void window(int from, int to) {
    List<Integer> points = new ArrayList<>();
    points.add(from);
    for (int i = from; i < to; i++) {
      if (events.get(i).kind() == Kind.RELEASE) {
        points.add(i + 1);
      }
    }
    for (int chosen : choose(points.size(), bounds.pointsMax())) {
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
    if (free.size() <= bounds.exhaustiveStores()) {
      for (int bits = 0; bits < 1 << free.size(); bits++) {
        int chosen = bits;
        accept(prefix, free, i -> (chosen >>> i & 1) != 0);
      }
    } else {
      sample(prefix, free);
    }
  }

  private void sample(int prefix, List<Integer> free) {
    accept(prefix, free, i -> false);
    for (int pick : choose(free.size(), bounds.picks())) {
      accept(prefix, free, i -> i == pick);
      accept(prefix, free, i -> i != pick);
      accept(prefix, free, i -> i < pick);
    }
    for (int sample = 0; sample < bounds.samples(); sample++) {
      double density = random.nextDouble();
      accept(prefix, free, i -> random.nextDouble() < density);
    }
    accept(prefix, free, i -> true);
  }

  /// Ascending numbers below a count, all if there are few: half of them from the beginning, a
  /// quarter from the end.
  private TreeSet<Integer> choose(int count, int most) {
    TreeSet<Integer> chosen = new TreeSet<>();
    for (int i = 0; i < count && (count <= most || i < most / 2); i++) {
      chosen.add(i);
    }
    for (int i = 0; chosen.size() < Math.min(count, most); i++) {
      chosen.add(i < most / 4 ? count - 1 - i : random.nextInt(count));
    }
    return chosen;
  }

  private interface Choice {
    boolean isEarly(int index);
  }

  /// A set, unless it breaks MODEL-1.
  private void accept(int prefix, List<Integer> free, Choice choice) {
    int[] early = new int[free.size()];
    int count = 0;
    for (int i = 0; i < free.size(); i++) {
      if (choice.isEarly(i)) {
        early[count++] = free.get(i);
      }
    }
    Cut cut = new Cut(prefix, Arrays.copyOf(early, count), -1);
    if (isPossible(events, cut)) {
      consumer.accept(cut);
    }
  }

  /// Whether a set is one that a crash can leave (MODEL-1 to MODEL-4).
  static boolean isPossible(List<Event> events, Cut cut) {
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
}
