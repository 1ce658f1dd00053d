package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.workload.Boxes.Box;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;

/// The boxes between which elements are moved, with two counters for each thread.
///
/// | root | holds |
/// |---|---|
/// | `box-0` … `box-3` | together each token exactly once |
/// | `count-n`, `twin-n` | one number each, and always the same: the transfers of thread n |
record Exchange(
    List<Box> kept, List<PersistentQueue<Long>> counts, List<PersistentQueue<Long>> twins) {
  static final int BOXES = 4;

  static Exchange in(Holdfast store, Boxes boxes, int threads) {
    return new Exchange(
        list(BOXES, i -> boxes.open(store, "box-" + i)),
        list(threads, i -> store.queue("count-" + i, Long.class)),
        list(threads, i -> store.queue("twin-" + i, Long.class)));
  }

  private static <T> List<T> list(int size, Function<Integer, T> element) {
    List<T> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(element.apply(i));
    }
    return List.copyOf(list);
  }

  /// The boxes, as queues.
  List<Queue<String>> boxes() {
    return kept.stream().map(Box::tokens).toList();
  }

  /// Adds all tokens and counters, in the caller's section, unless they are there.
  void fill(int tokens) {
    List<Queue<String>> boxes = boxes();
    if (boxes.stream().allMatch(Queue::isEmpty)) {
      for (int i = 0; i < tokens; i++) {
        boxes.get(i % BOXES).add(token(i));
      }
    }
    counts.stream().filter(Queue::isEmpty).forEach(each -> each.add(0L));
    twins.stream().filter(Queue::isEmpty).forEach(each -> each.add(0L));
  }

  /// A text that says who it is, and is of varied length, so that blocks fill up unevenly.
  private static String token(int id) {
    return id + ":" + "x".repeat(id * 37 % 150);
  }

  static int idOf(String token) {
    int id = Integer.parseInt(token.substring(0, token.indexOf(':')));
    Violation.unless(token.equals(token(id)), "a token is damaged: found=%s", token);
    return id;
  }

  /// Validates all queues, and that each token is there exactly once.
  void checkTokens(int tokens) {
    Set<Integer> seen = new HashSet<>();
    for (Box box : kept) {
      int walked = 0;
      for (String token : box.tokens()) {
        int id = idOf(token);
        Violation.unless(seen.add(id), "P1 atomic: a token is there twice: id=%d", id);
        walked++;
      }
      long valid = box.validate();
      Violation.unless(
          walked == valid && walked == box.tokens().size(),
          "a box has different lengths: walked=%d, validated=%d, size=%d",
          walked,
          valid,
          box.tokens().size());
    }
    Violation.unless(
        seen.isEmpty() || seen.size() == tokens,
        "P1 atomic: tokens are lost: found=%d, expected=%d",
        seen.size(),
        tokens);
  }

  /// The number that a counter and its twin show.
  long count(int thread) {
    Long count = only(counts.get(thread));
    Long twin = only(twins.get(thread));
    Violation.unless(
        count == null ? twin == null : count.equals(twin),
        "P1 atomic: a counter and its twin differ: thread=%d, counter=%d, twin=%d",
        thread,
        count,
        twin);
    return count == null ? 0 : count;
  }

  private static Long only(PersistentQueue<Long> counter) {
    long size = counter.validate();
    Violation.unless(size <= 1, "P1 atomic: a counter holds several numbers: found=%s", counter);
    return counter.peek();
  }

  static void move(Queue<String> from, Queue<String> to, int most) {
    String token = "";
    for (int i = 0; i < most && token != null; i++) {
      token = from.poll();
      if (token != null) {
        to.add(token);
      }
    }
  }

  static void increment(Queue<Long> counter) {
    counter.add(counter.remove() + 1);
  }
}
