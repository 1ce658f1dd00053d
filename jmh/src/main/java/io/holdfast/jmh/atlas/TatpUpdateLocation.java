package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// TATP's transaction UPDATE_LOCATION: finds a subscriber by its number, and stores where it is
/// (Neuvonen and others: "Telecom Application Transaction Processing Benchmark", 2011).
///
/// | part of the root | content |
/// |---|---|
/// | word 0 | subscribers, as many as there ever will be once it is made |
/// | from word 8 on, 2 words each | the index, by open addressing: a number, its row from 1 on |
/// | then 16 words each | the rows: number, 2 words of flags, msc_location, vlr_location, updates, free |
///
/// **TATP-1** Each number is in the index once, with the row that has it, and a row's location is
/// its last update's.
public final class TatpUpdateLocation extends OneLock {
  private static final String ADD = "addSubscriber";
  private static final int SUBSCRIBERS = 256;
  private static final int INDEX_AT = 64;
  private static final int ROW_BYTES = 128;
  private static final int VLR = 32, UPDATES = 40;

  private final long root;
  private final int subscribers;

  /// Places in the index: half of them are free.
  private final int index;

  public TatpUpdateLocation(ProgramMemory memory) {
    this(memory, SUBSCRIBERS);
  }

  /// @param subscribers a power of two
  TatpUpdateLocation(ProgramMemory memory, int subscribers) {
    super(memory);
    this.subscribers = subscribers;
    this.index = 2 * subscribers;
    root = memory.root((int) rows() + subscribers * ROW_BYTES);
    resume();
    while (memory.read(root) < subscribers) {
      section(ADD, 0);
    }
  }

  @Override
  void call(String function, long argument) {
    if (function.equals(ADD)) {
      addSubscriber();
    } else {
      super.call(function, argument);
    }
  }

  private long rows() {
    return INDEX_AT + index * 2L * Long.BYTES;
  }

  /// The number of the n-th subscriber: not in order.
  private long number(long n) {
    return 1 + n * 37 % subscribers;
  }

  private void addSubscriber() {
    long n = memory.read(root);
    long entry = entry(number(n));
    memory.write(entry, number(n));
    memory.write(entry + Long.BYTES, n + 1);
    memory.write(row(n), number(n));
    memory.write(root, n + 1);
  }

  private long row(long n) {
    return root + rows() + n * ROW_BYTES;
  }

  /// Where the index has a number, or would have it.
  private long entry(long number) {
    int place = (int) (number * 0x9E3779B97F4A7C15L >>> 32) & index - 1;
    while (true) {
      long entry = root + INDEX_AT + place * 2L * Long.BYTES;
      long there = memory.read(entry);
      if (there == number || there == 0) {
        return entry;
      }
      place = place + 1 & index - 1;
    }
  }

  @Override
  void change(long draw) {
    long number = 1 + below(draw, subscribers);
    long row = row(memory.read(entry(number) + Long.BYTES) - 1);
    long updates = memory.read(row + UPDATES) + 1;
    memory.write(row + UPDATES, updates);
    memory.write(row + VLR, location(number, updates));
  }

  private static long location(long number, long updates) {
    return number << 32 ^ updates;
  }

  /// Updates by subscriber.
  @Override
  public List<Long> content() {
    List<Long> updates = new ArrayList<>();
    for (long n = 0; n < memory.read(root); n++) {
      long row = row(n);
      require(
          memory.read(row) == number(n) && memory.read(entry(number(n)) + Long.BYTES) == n + 1,
          "TATP-1: subscriber=%d",
          n);
      long count = memory.read(row + UPDATES);
      require(
          memory.read(row + VLR) == (count == 0 ? 0 : location(number(n), count)),
          "TATP-1: torn, subscriber=%d",
          n);
      updates.add(count);
    }
    return updates;
  }

  @Override
  public int blocks() {
    return 1;
  }
}
