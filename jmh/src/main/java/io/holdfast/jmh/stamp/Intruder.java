package io.holdfast.jmh.stamp;

import static io.holdfast.jmh.stamp.StampProgram.require;

import io.holdfast.Holdfast;
import io.holdfast.jmh.map.Draws;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Looks for attacks in a network's traffic: packets come mixed and out of order in one queue, are
/// put together in a map by their flows, and flows that are whole go through a second queue to a
/// detector. A packet takes three transactions, as in STAMP (`-a10 -l4`: one flow of ten is an
/// attack, and one has up to four packets).
///
/// **INTRUDER-1** No packet is left, in the queues or the map. **INTRUDER-2** Each flow has come
/// out once, as it was sent. **INTRUDER-3** All attacks were found, and nothing else.
///
/// Test: StampTest.
final class Intruder implements StampProgram {
  private static final int PACKETS_MAX = 4;
  private static final int ATTACK_PERCENT = 10;
  private static final int PACKET_CHARS = 16;
  private static final String ATTACK = "ATTACK";

  record Packet(long flow, int number, int packets, String data) {}

  record Fragments(List<Packet> packets) {
    static final Fragments NONE = new Fragments(List.of());

    Fragments and(Packet packet) {
      return new Fragments(
          Stream.concat(packets.stream(), Stream.of(packet))
              .sorted(Comparator.comparingInt(Packet::number))
              .toList());
    }

    boolean areWhole() {
      return packets.size() == packets.getFirst().packets;
    }

    Flow flow() {
      return new Flow(
          packets.getFirst().flow,
          packets.stream().map(Packet::data).collect(Collectors.joining()));
    }
  }

  record Flow(long number, String data) {}

  private final Holdfast store;
  private final int threads;
  private final List<String> sent = new ArrayList<>();
  private final int packetCount;
  private final Queue<Packet> packets;
  final Map<Long, Fragments> fragments;
  private final Queue<Flow> flows;
  private final Set<Long> received = ConcurrentHashMap.newKeySet();
  private final LongAdder damaged = new LongAdder();
  private final LongAdder attacks = new LongAdder();

  Intruder(Holdfast store, int threads, int flowCount) {
    this.store = store;
    this.threads = threads;
    packets = store.queue("packets", Packet.class);
    fragments = store.hashMap("fragments", Long.class, Fragments.class);
    flows = store.queue("flows", Flow.class);
    Draws draws = new Draws(1);
    List<Packet> mixed = new ArrayList<>();
    for (int i = 0; i < flowCount; i++) {
      String data = draw(draws);
      sent.add(data);
      int count = data.length() / PACKET_CHARS;
      for (int number = 0; number < count; number++) {
        String part = data.substring(number * PACKET_CHARS, (number + 1) * PACKET_CHARS);
        mixed.add(new Packet(i, number, count, part));
      }
    }
    Collections.shuffle(mixed, new Random(1));
    packets.addAll(mixed);
    packetCount = mixed.size();
  }

  /// What a flow sends: as long as some packets are, with an attack anywhere in it, or none.
  private static String draw(Draws draws) {
    int length = PACKET_CHARS * (1 + (int) draws.item(PACKETS_MAX));
    StringBuilder data = new StringBuilder(length);
    while (data.length() < length) {
      data.append((char) ('a' + draws.item(26)));
    }
    if (draws.item(100) < ATTACK_PERCENT) {
      int at = (int) draws.item(length - ATTACK.length() + 1);
      data.replace(at, at + ATTACK.length(), ATTACK);
    }
    return data.toString();
  }

  @Override
  public int threads() {
    return threads;
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
        detect(flow);
      }
    }
  }

  private void decode(Packet packet) {
    Fragments all = fragments.getOrDefault(packet.flow, Fragments.NONE).and(packet);
    if (all.areWhole()) {
      fragments.remove(packet.flow);
      flows.offer(all.flow());
    } else {
      fragments.put(packet.flow, all);
    }
  }

  private void detect(Flow flow) {
    if (!received.add(flow.number) || !sent.get((int) flow.number).equals(flow.data)) {
      damaged.increment();
    }
    if (flow.data.contains(ATTACK)) {
      attacks.increment();
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
    require(
        received.size() == sent.size() && damaged.sum() == 0,
        "INTRUDER-2: received=%d, sent=%d, damaged or again=%d",
        received.size(),
        sent.size(),
        damaged.sum());
    long expected = sent.stream().filter(data -> data.contains(ATTACK)).count();
    require(attacks.sum() == expected, "INTRUDER-3: found=%d, sent=%d", attacks.sum(), expected);
  }
}
