package io.holdfast.jmh.stamp;

import static io.holdfast.jmh.stamp.StampProgram.require;

import io.holdfast.jmh.map.Draws;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// A network's traffic, and who looks for attacks in it (`-a10 -l4`: one flow of ten is an attack,
/// and one has up to four packets).
///
/// **INTRUDER-2** Each flow has come out once, as it was sent. **INTRUDER-3** All attacks were
/// found, and nothing else.
///
/// Thread-safe.
public final class Traffic {
  /// Of a packet's data.
  public static final int PACKET_CHARS = 16;

  private static final int PACKETS_MAX = 4;
  private static final int ATTACK_PERCENT = 10;
  private static final String ATTACK = "ATTACK";

  /// @param number in its flow, from 0
  /// @param packets of its flow
  public record Packet(long flow, int number, int packets, String data) {}

  private final List<String> sent = new ArrayList<>();
  private final List<Packet> packets = new ArrayList<>();
  private final Set<Long> received = ConcurrentHashMap.newKeySet();
  private final LongAdder damaged = new LongAdder();
  private final LongAdder attacks = new LongAdder();

  public Traffic(int flows) {
    Draws draws = new Draws(1);
    for (int i = 0; i < flows; i++) {
      String data = draw(draws);
      sent.add(data);
      int count = data.length() / PACKET_CHARS;
      for (int number = 0; number < count; number++) {
        String part = data.substring(number * PACKET_CHARS, (number + 1) * PACKET_CHARS);
        packets.add(new Packet(i, number, count, part));
      }
    }
    Collections.shuffle(packets, new Random(1));
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

  /// As they come: mixed and out of order.
  public List<Packet> packets() {
    return packets;
  }

  /// Looks at a flow that is whole.
  public void detect(long flow, String data) {
    if (!received.add(flow) || !sent.get((int) flow).equals(data)) {
      damaged.increment();
    }
    if (data.contains(ATTACK)) {
      attacks.increment();
    }
  }

  /// @throws IllegalStateException if one of the invariants does not hold
  public void check() {
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
