package io.holdfast.testkit;

import io.holdfast.core.memory.RegionLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
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
/// beginning or end of a step, or a note.
final class PowerFailure implements FailureModel {
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
          case TRUNCATION -> {
            window(Cut.at(i));
            pending.keySet().removeIf(line -> line >= event.after());
          }
          case STEP_BEGINS, STEP_ENDS, NOTE -> window(Cut.at(i));
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
        case FENCE, GROWTH, TRUNCATION, STEP_BEGINS, STEP_ENDS, NOTE -> true;
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
      List<LineLoss> lines =
          pending.values().stream().map(stores -> new LineLoss(stores, order, choice)).toList();
      long images = 1;
      long imagesMax = 1L << choice.bounds().exhaustiveStores();
      for (int i = 0; i < lines.size() && images <= imagesMax; i++) {
        images *= lines.get(i).options().size();
      }
      if (images <= imagesMax) {
        all(cut, lines, new BitSet());
      } else {
        sample(cut, lines);
      }
    }

    private void all(Cut cut, List<LineLoss> lines, BitSet lost) {
      if (lines.isEmpty()) {
        accept(cut, lost);
        return;
      }
      LineLoss line = lines.getFirst();
      for (BitSet option : line.options()) {
        BitSet more = (BitSet) lost.clone();
        line.addTo(more, option);
        all(cut, lines.subList(1, lines.size()), more);
      }
    }

    /// None lost, all lost, the lines one by one lost, on media, and in between; and at random.
    private void sample(Cut cut, List<LineLoss> lines) {
      choice.leftOut();
      BitSet all = new BitSet();
      lines.forEach(line -> line.addTo(all, line.all()));
      accept(cut, new BitSet());
      accept(cut, all);
      for (int i : choice.some(lines.size(), choice.bounds().picks())) {
        LineLoss line = lines.get(i);
        BitSet others = (BitSet) all.clone();
        line.takeFrom(others);
        for (BitSet option : line.options()) {
          accept(cut, line.addTo(new BitSet(), option));
          accept(cut, line.addTo((BitSet) others.clone(), option));
        }
      }
      for (int sample = 0; sample < choice.bounds().samples(); sample++) {
        double whole = choice.random().nextDouble();
        BitSet lost = new BitSet();
        for (LineLoss line : lines) {
          if (choice.random().nextDouble() >= whole) {
            line.addTo(lost, pick(line.options()));
          }
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
  }
}
