package io.holdfast.core.explorer;

import io.holdfast.core.memory.RegionLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Which sets of stores a loss of power can leave on media together: those of PCSO (CSO paper,
/// section 2).
///
/// - **PCSO-1** A store is on media if a flush of its line followed it, and a fence of the thread
///   that flushed.
/// - **PCSO-2** Of the other stores to a line, those that reached the cache first are on media, any
///   number of them: a line is written back whole, whenever the hardware likes (MEDIA-2).
/// - **PCSO-3** Lines are independent of each other (MEDIA-3).
///
/// In which order stores reach the cache is the Java memory model's: plain stores in any, a release
/// store after all before it; nothing moves across a release fence, a flush, a fence, a growth or
/// the beginning or end of a step, which are calls.
///
/// As long as no fence makes more stores durable, later crashes can leave all that earlier ones
/// can. So it is enough to look at the end of each *window*: before a fence, a growth, and the
/// beginning or end of a step.
final class PowerFailure implements FailureModel {
  /// Of plain stores to a line that are free of each other, so many in all their subsets.
  private static final int FREE_MAX = 4;

  @Override
  public boolean heedsFlushes() {
    return true;
  }

  @Override
  public boolean forEachCut(
      List<Event> events, Bounds bounds, Random random, Consumer<Cut> consumer) {
    return new Walk(events, new Choice(bounds, random), consumer).run();
  }

  @Override
  public boolean isPossible(List<Event> events, Cut cut) {
    LineOrder order = new LineOrder(events);
    int[] lost = cut.lost();
    for (int before : lost) {
      for (int store = before + 1; store < cut.prefix(); store++) {
        if (events.get(store).isStore()
            && Arrays.binarySearch(lost, store) < 0
            && order.isAfter(before, store)) {
          return false;
        }
      }
    }
    return true;
  }

  /// One way through the events.
  private final class Walk {
    private final List<Event> events;
    private final LineOrder order;
    private final Choice choice;
    private final Consumer<Cut> consumer;

    /// By line, the stores that a fence has not made durable.
    private final Map<Long, List<Integer>> pending = new TreeMap<>();

    /// By thread, the flushes since its last fence.
    private final Map<String, List<Integer>> flushes = new HashMap<>();

    private Set<Integer> chosen;
    private int passed;

    Walk(List<Event> events, Choice choice, Consumer<Cut> consumer) {
      this.events = events;
      this.order = new LineOrder(events);
      this.choice = choice;
      this.consumer = consumer;
    }

    boolean run() {
      int windows = 1 + (int) events.stream().filter(Walk::endsWindow).count();
      chosen = choice.some(windows, choice.bounds().pointsMax());
      for (int i = 0; i < events.size(); i++) {
        Event event = events.get(i);
        switch (event.kind()) {
          case PLAIN, RELEASE ->
              pending.computeIfAbsent(event.line(), line -> new ArrayList<>()).add(i);
          case FLUSH -> flushes.computeIfAbsent(event.what(), thread -> new ArrayList<>()).add(i);
          case FENCE -> {
            window(Cut.at(i));
            fence(event.what());
          }
          case GROWTH -> {
            window(Cut.at(i));
            for (long length : FailureModel.partialLengths(event)) {
              consumer.accept(Cut.at(i).withLength(length));
            }
          }
          case STEP_BEGINS, STEP_ENDS -> window(Cut.at(i));
          case RELEASE_FENCE -> {
            // Makes nothing durable; LineOrder looks at it.
          }
        }
      }
      window(Cut.at(events.size()));
      return choice.tookAll();
    }

    private static boolean endsWindow(Event event) {
      return switch (event.kind()) {
        case FENCE, GROWTH, STEP_BEGINS, STEP_ENDS -> true;
        case PLAIN, RELEASE, RELEASE_FENCE, FLUSH -> false;
      };
    }

    private void fence(String thread) {
      for (int flush : flushes.getOrDefault(thread, List.of())) {
        Event event = events.get(flush);
        for (long line = event.at(); line < event.after(); line += RegionLayout.LINE_BYTES) {
          List<Integer> stores = pending.get(line);
          if (stores != null) {
            stores.removeIf(store -> store < flush);
            if (stores.isEmpty()) {
              pending.remove(line);
            }
          }
        }
      }
      flushes.remove(thread);
    }

    private void window(Cut cut) {
      if (!chosen.contains(passed++)) {
        return;
      }
      List<List<BitSet>> lines = new ArrayList<>();
      long images = 1;
      long imagesMax = 1L << choice.bounds().exhaustiveStores();
      for (List<Integer> stores : pending.values()) {
        List<BitSet> options = options(stores);
        lines.add(options);
        images = Math.min(images * options.size(), imagesMax + 1);
      }
      if (images <= imagesMax) {
        all(cut, lines, 0, new BitSet());
      } else {
        sample(cut, lines);
      }
    }

    private void all(Cut cut, List<List<BitSet>> lines, int line, BitSet lost) {
      if (line == lines.size()) {
        accept(cut, lost);
        return;
      }
      for (BitSet option : lines.get(line)) {
        lost.or(option);
        all(cut, lines, line + 1, lost);
        lost.andNot(option);
      }
    }

    /// None lost, all lost, the lines one by one lost, on media, and in between; and at random.
    private void sample(Cut cut, List<List<BitSet>> lines) {
      choice.leftOut();
      BitSet all = new BitSet();
      lines.forEach(options -> all.or(options.getFirst()));
      accept(cut, new BitSet());
      accept(cut, all);
      for (int line : choice.some(lines.size(), choice.bounds().picks())) {
        for (BitSet option : lines.get(line)) {
          accept(cut, option);
          BitSet others = (BitSet) all.clone();
          others.andNot(lines.get(line).getFirst());
          others.or(option);
          accept(cut, others);
        }
      }
      for (int sample = 0; sample < choice.bounds().samples(); sample++) {
        double whole = choice.random().nextDouble();
        BitSet lost = new BitSet();
        for (List<BitSet> options : lines) {
          boolean isWhole = choice.random().nextDouble() < whole;
          lost.or(isWhole ? options.getLast() : pick(options));
        }
        accept(cut, lost);
      }
    }

    private BitSet pick(List<BitSet> options) {
      return options.get(choice.random().nextInt(options.size()));
    }

    private void accept(Cut cut, BitSet lost) {
      consumer.accept(cut.withLost(lost.stream().toArray()));
    }

    /// What may be lost of a line, from all to nothing.
    private List<BitSet> options(List<Integer> stores) {
      Set<BitSet> options = new LinkedHashSet<>();
      for (int kept = 0; kept < stores.size(); kept++) {
        // All before this store are on media, it is not, and some plain stores behind it may be.
        List<Integer> rest = stores.subList(kept, stores.size());
        subsets(rest, free(rest), options);
      }
      options.add(new BitSet());
      return List.copyOf(options);
    }

    /// The stores that may be on media though the first of these is not.
    private List<Integer> free(List<Integer> stores) {
      List<Integer> free = new ArrayList<>();
      List<Integer> bound = new ArrayList<>(stores.subList(0, 1));
      for (int store : stores.subList(1, stores.size())) {
        boolean isBound = bound.stream().anyMatch(before -> order.isAfter(before, store));
        (isBound ? bound : free).add(store);
      }
      return free;
    }

    private void subsets(List<Integer> rest, List<Integer> free, Collection<BitSet> options) {
      List<Integer> chosen = free;
      if (free.size() > FREE_MAX) {
        choice.leftOut();
        chosen = choice.some(free.size(), FREE_MAX).stream().map(free::get).toList();
      }
      for (int bits = 0; bits < 1 << chosen.size(); bits++) {
        BitSet lost = new BitSet();
        rest.forEach(lost::set);
        for (int i = 0; i < chosen.size(); i++) {
          lost.set(chosen.get(i), (bits >>> i & 1) == 0);
        }
        if (isPossible(rest, lost)) {
          options.add(lost);
        }
      }
    }

    private boolean isPossible(List<Integer> stores, BitSet lost) {
      return stores.stream()
          .filter(store -> !lost.get(store))
          .noneMatch(
              store ->
                  stores.stream()
                      .takeWhile(before -> before < store)
                      .anyMatch(before -> lost.get(before) && order.isAfter(before, store)));
    }
  }
}
