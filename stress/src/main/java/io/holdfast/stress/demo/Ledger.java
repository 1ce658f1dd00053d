package io.holdfast.stress.demo;

import java.util.TreeSet;

/// Compares the lines that came out with those that were fed, one by one in the order in which they
/// came out. Line n must come after line n - 1, and have the text that was fed.
final class Ledger {
  private final Text text;
  private final TreeSet<Long> missing = new TreeSet<>();
  private long next;
  private long out;
  private long duplicated;
  private long outOfOrder;
  private long damaged;

  Ledger(Text text) {
    this.text = text;
  }

  /// A line came out.
  void add(Line line) {
    out++;
    if (!line.equals(text.line(line.number()))) {
      damaged++;
    }
    if (line.number() >= next) {
      expectUpTo(line.number());
      next = line.number() + 1;
    } else if (missing.remove(line.number())) {
      outOfOrder++;
    } else {
      duplicated++;
    }
  }

  /// So many lines were fed, or came out, by what the worker had been promised: those that are not
  /// there are lost.
  void expectUpTo(long lines) {
    for (; next < lines; next++) {
      missing.add(next);
    }
  }

  /// How many lines were fed, as far as is known: the number of the next one.
  long in() {
    return next;
  }

  long out() {
    return out;
  }

  long lost() {
    return missing.size();
  }

  long duplicated() {
    return duplicated;
  }

  long outOfOrder() {
    return outOfOrder;
  }

  /// Lines whose text is not the one that was fed.
  long damaged() {
    return damaged;
  }

  /// Whether every line came out once, in order, as it was.
  boolean isRight() {
    return missing.isEmpty() && duplicated == 0 && outOfOrder == 0 && damaged == 0;
  }
}
