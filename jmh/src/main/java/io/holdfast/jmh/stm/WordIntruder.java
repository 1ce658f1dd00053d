package io.holdfast.jmh.stm;

import io.holdfast.jmh.atlas.AaTree;
import io.holdfast.jmh.stamp.StampProgram;
import io.holdfast.jmh.stamp.Traffic;
import io.holdfast.jmh.stamp.Traffic.Packet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// STAMP's intruder: packets come in one queue, are put together in a red-black tree by their
/// flows, and flows that are whole go through a second queue to a detector ({@link Traffic}). A
/// packet takes three transactions.
///
/// | line of data | words 0 to 3 | word 4 | word 5 | word 6 |
/// |---|---|---|---|---|
/// | one for each thread: its {@link LineHeap} | | | | |
/// | the next | the tree's topmost node; packets that were taken; flows that came, and were taken | | | |
/// | a packet | flow, number, packets of the flow, the packet after it | its data | its data | |
/// | a node of the tree, a block | {@link AaTree}'s | packets that have come | the first of them | |
/// | after the packets, words | the first packets of flows that came | | | |
/// | the others | blocks | | | |
///
/// INTRUDER-1 to INTRUDER-3 hold. Test: StmProgramTest.
final class WordIntruder extends StampProgram {
  private static final int TAKEN = 8, CAME = 16, FLOWS_TAKEN = 24;
  private static final int NUMBER = 8, PACKETS = 16, AFTER = 24, DATA = 32;
  private static final int COUNT = 32, FIRST = 40;

  private final WordStm stm;
  private final Traffic traffic;
  private final long head;
  private final long packets;
  private final long flows;

  /// @param flowCount that come
  WordIntruder(WordStm stm, int threads, int flowCount) {
    super(threads);
    this.stm = stm;
    this.traffic = new Traffic(flowCount);
    this.head = stm.dataAt() + (long) threads * Seal.LINE;
    this.packets = head + Seal.LINE;
    this.flows = packet(traffic.packets().size());
    long block = flows + lines(flowCount) * Seal.LINE;
    for (int thread = 0; thread < threads; thread++) {
      LineHeap heap = heap(stm.transaction(thread), thread);
      long first = block;
      stm.transaction(thread)
          .run(
              _ -> {
                heap.init(first, flowCount);
                return 0;
              });
      block += (long) flowCount * Seal.LINE;
    }
    fill(traffic.packets());
  }

  /// Lines of so many words.
  private static long lines(int words) {
    return (words * (long) Long.BYTES + Seal.LINE - 1) / Seal.LINE;
  }

  /// Words of data.
  static long words(int threads, int flowCount) {
    long lines =
        threads
            + 1L
            + new Traffic(flowCount).packets().size()
            + lines(flowCount)
            + (long) threads * flowCount;
    return lines * Seal.LINE / Long.BYTES;
  }

  private LineHeap heap(WordTransaction transaction, int thread) {
    return new LineHeap(transaction, stm.dataAt() + (long) thread * Seal.LINE);
  }

  private long packet(int number) {
    return packets + (long) number * Seal.LINE;
  }

  private void fill(List<Packet> all) {
    WordTransaction transaction = stm.transaction(0);
    for (int i = 0; i < all.size(); i++) {
      long at = packet(i);
      Packet packet = all.get(i);
      ByteBuffer data = ByteBuffer.wrap(packet.data().getBytes(StandardCharsets.US_ASCII));
      transaction.run(
          t -> {
            t.write(at, packet.flow());
            t.write(at + NUMBER, packet.number());
            t.write(at + PACKETS, packet.packets());
            t.write(at + DATA, data.getLong(0));
            t.write(at + DATA + Long.BYTES, data.getLong(Long.BYTES));
            return 0;
          });
    }
  }

  @Override
  public int operations() {
    return traffic.packets().size();
  }

  /// Three of each packet, and one of each thread that finds no more.
  @Override
  public long transactions() {
    return 3L * operations() + threads;
  }

  /// Each thread takes packets until there are none.
  @Override
  public void run(int thread, int operations) {
    WordTransaction transaction = stm.transaction(thread);
    LineHeap heap = heap(transaction, thread);
    AaTree tree = heap.tree();
    long packet;
    while ((packet = transaction.run(this::take)) != 0) {
      long taken = packet;
      transaction.run(t -> decode(t, heap, tree, taken));
      StringBuilder data = new StringBuilder();
      long flow = transaction.run(t -> takeFlow(t, data));
      if (data.length() > 0) {
        traffic.detect(flow, data.toString());
      }
    }
  }

  private long take(WordTransaction transaction) {
    int taken = (int) transaction.read(head + TAKEN);
    if (taken == operations()) {
      return 0;
    }
    transaction.write(head + TAKEN, taken + 1L);
    return packet(taken);
  }

  private long decode(WordTransaction transaction, LineHeap heap, AaTree tree, long packet) {
    long count = transaction.read(packet + PACKETS);
    if (count == 1) {
      offer(transaction, packet);
      return 0;
    }
    long flow = transaction.read(packet);
    long top = transaction.read(head);
    long node = tree.find(top, flow);
    long changed = top;
    if (node == 0) {
      node = heap.node(flow);
      transaction.write(node + COUNT, 0);
      transaction.write(node + FIRST, 0);
      changed = tree.insert(top, flow, node);
    }
    insert(transaction, node + FIRST, packet);
    long came = transaction.read(node + COUNT) + 1;
    if (came == count) {
      offer(transaction, transaction.read(node + FIRST));
      changed = tree.delete(top, flow);
    } else {
      transaction.write(node + COUNT, came);
    }
    if (changed != top) {
      transaction.write(head, changed);
    }
    return 0;
  }

  /// Puts a packet into its flow's list, by its number.
  private static void insert(WordTransaction transaction, long first, long packet) {
    long link = first;
    long after = transaction.read(link);
    while (after != 0 && transaction.read(after + NUMBER) < transaction.read(packet + NUMBER)) {
      link = after + AFTER;
      after = transaction.read(link);
    }
    transaction.write(packet + AFTER, after);
    transaction.write(link, packet);
  }

  private void offer(WordTransaction transaction, long packet) {
    long came = transaction.read(head + CAME);
    transaction.write(flows + came * Long.BYTES, packet);
    transaction.write(head + CAME, came + 1);
  }

  /// Takes a flow.
  ///
  /// @param data its data, or empty if there is none
  /// @return its number
  private long takeFlow(WordTransaction transaction, StringBuilder data) {
    data.setLength(0);
    long taken = transaction.read(head + FLOWS_TAKEN);
    if (taken == transaction.read(head + CAME)) {
      return 0;
    }
    transaction.write(head + FLOWS_TAKEN, taken + 1);
    long packet = transaction.read(flows + taken * Long.BYTES);
    long flow = transaction.read(packet);
    for (; packet != 0; packet = transaction.read(packet + AFTER)) {
      ByteBuffer words = ByteBuffer.allocate(Traffic.PACKET_CHARS);
      words.putLong(transaction.read(packet + DATA));
      words.putLong(transaction.read(packet + DATA + Long.BYTES));
      data.append(new String(words.array(), StandardCharsets.US_ASCII));
    }
    return flow;
  }

  @Override
  public void check() {
    WordTransaction transaction = stm.transaction(0);
    long left = operations() - transaction.run(t -> t.read(head + TAKEN));
    long flowsLeft = transaction.run(t -> t.read(head + CAME) - t.read(head + FLOWS_TAKEN));
    long top = transaction.run(t -> t.read(head));
    require(
        left == 0 && top == 0 && flowsLeft == 0,
        "INTRUDER-1: packets=%d, topmost node=0x%X, flows=%d",
        left,
        top,
        flowsLeft);
    traffic.check();
  }
}
