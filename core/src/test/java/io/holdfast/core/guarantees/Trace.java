package io.holdfast.core.guarantees;

import io.holdfast.core.Regions;
import io.holdfast.testkit.Interleaving.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the turns of an order do to locks, and which section each belongs to.
final class Trace extends ModelScene {
  /// A section that does not exist: the turn, or the event, is outside of all.
  static final int NONE = -1;

  private final List<Event> events = new ArrayList<>();
  private final List<Section> sections = new ArrayList<>();
  private final Map<String, Integer> depths = new HashMap<>();
  private final Map<String, Integer> open = new HashMap<>();
  private final Map<String, Integer> blocks = new HashMap<>();
  private final Regions regions;
  private final int[] sectionOf;
  private String thread;
  private int turn;

  /// A section.
  ///
  /// @param name its thread's, and its number among those of the thread, from 1
  /// @param end the turn that ended it
  record Section(String name, String thread, int end) {}

  /// An acquire or a release.
  ///
  /// @param section the one it is in, or NONE
  record Event(String thread, int section, boolean isAcquire, Object key) {
    /// Whether a later event comes after this one for either of the two reasons there are: it is of
    /// the same thread, or acquires what this one released.
    boolean isDirectlyBefore(Event later) {
      return thread.equals(later.thread) || !isAcquire && later.isAcquire && key == later.key;
    }
  }

  Trace(List<Turn<Scene>> turns, Regions regions) {
    this.regions = regions;
    sectionOf = new int[turns.size()];
    for (turn = 0; turn < turns.size(); turn++) {
      thread = turns.get(turn).thread();
      if (depths.getOrDefault(thread, 0) > 0 && current() == NONE) {
        open(); // behind a release that ended one, after which it comes
        events.add(new Event(thread, current(), true, new Object()));
      }
      sectionOf[turn] = current();
      run(turns.get(turn).step());
    }
  }

  /// All events, in their order.
  List<Event> events() {
    return events;
  }

  /// All sections, in the order in which they began.
  List<Section> sections() {
    return sections;
  }

  /// The section that a turn begins, is in, or ends.
  int sectionOf(int someTurn) {
    return sectionOf[someTurn];
  }

  private int current() {
    return open.getOrDefault(thread, NONE);
  }

  private void begin(Object key) {
    if (depths.merge(thread, 1, Integer::sum) == 1) {
      open();
      sectionOf[turn] = current();
    }
    events.add(new Event(thread, current(), true, key));
  }

  private void open() {
    open.put(thread, sections.size());
    long before = sections.stream().filter(each -> each.thread.equals(thread)).count();
    sections.add(new Section(thread + (before + 1), thread, Integer.MAX_VALUE));
  }

  private void end(Object key, boolean isRelease) {
    events.add(new Event(thread, current(), false, key));
    int depth = depths.merge(thread, -1, Integer::sum);
    boolean endsRegion =
        isRelease && regions == Regions.SYNCHRONIZATION_FREE && blocks.getOrDefault(thread, 0) == 0;
    if (depth == 0 || endsRegion) {
      int ended = open.remove(thread);
      sections.set(ended, new Section(sections.get(ended).name, thread, turn));
    }
  }

  @Override
  public void acquire(Object lock) {
    begin(lock);
  }

  @Override
  public void release(Object lock) {
    end(lock, true);
  }

  @Override
  public void observe(Object key) {
    events.add(new Event(thread, current(), true, key));
  }

  @Override
  public void enter() {
    blocks.merge(thread, 1, Integer::sum);
    begin(new Object()); // nobody else's
  }

  @Override
  public void exit() {
    end(new Object(), false);
    blocks.merge(thread, -1, Integer::sum);
  }
}
