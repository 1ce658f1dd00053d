package io.holdfast.jmh.stamp;

import io.holdfast.Holdfast;
import io.holdfast.jmh.stamp.Traffic.Packet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Looks for attacks in a network's traffic: packets come mixed and out of order in one queue, are
/// put together in a map by their flows, and flows that are whole go through a second queue to a
/// detector ({@link Traffic}). A packet takes three transactions, as in STAMP.
///
/// **INTRUDER-1** No packet is left, in the queues or the map.
///
/// Test: StampTest.
final class Intruder extends StampProgram {
  record Fragments(List<Packet> packets) {
    static final Fragments NONE = new Fragments(List.of());

    Fragments and(Packet packet) {
      return new Fragments(
          Stream.concat(packets.stream(), Stream.of(packet))
              .sorted(Comparator.comparingInt(Packet::number))
              .toList());
    }

    boolean areWhole() {
      return packets.size() == packets.getFirst().packets();
    }

    Flow flow() {
      return new Flow(
          packets.getFirst().flow(),
          packets.stream().map(Packet::data).collect(Collectors.joining()));
    }
  }

  record Flow(long number, String data) {}

  private final Holdfast store;
  private final Traffic traffic;
  private final int packetCount;
  private final Queue<Packet> packets;
  final Map<Long, Fragments> fragments;
  private final Queue<Flow> flows;

  Intruder(Holdfast store, int threads, int flowCount) {
    super(threads);
    this.store = store;
    packets = store.queue("packets", Packet.class);
    fragments = store.hashMap("fragments", Long.class, Fragments.class);
    flows = store.queue("flows", Flow.class);
    traffic = new Traffic(flowCount);
    packets.addAll(traffic.packets());
    packetCount = traffic.packets().size();
  }

  @Override
  public int operations() {
    return packetCount;
  }

  /// Three of each packet, and one of each thread that finds no more.
  @Override
  public long transactions() {
    return 3L * packetCount + threads;
  }

  /// Each thread takes packets until there are none.
  @Override
  public void run(int thread, int operations) {
    Packet packet;
    while ((packet = store.transaction(packets::poll)) != null) {
      Packet taken = packet;
      store.transaction(() -> decode(taken));
      Flow flow = store.transaction(flows::poll);
      if (flow != null) {
        traffic.detect(flow.number, flow.data);
      }
    }
  }

  private void decode(Packet packet) {
    Fragments all = fragments.getOrDefault(packet.flow(), Fragments.NONE).and(packet);
    if (all.areWhole()) {
      fragments.remove(packet.flow());
      flows.offer(all.flow());
    } else {
      fragments.put(packet.flow(), all);
    }
  }

  @Override
  public void check() {
    require(
        packets.isEmpty() && fragments.isEmpty() && flows.isEmpty(),
        "INTRUDER-1: packets=%d, fragments=%d, flows=%d",
        packets.size(),
        fragments.size(),
        flows.size());
    traffic.check();
  }
}
