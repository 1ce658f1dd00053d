package io.holdfast.jmh.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs the programs small, by more threads than there are processors. What is wrong with the
/// result their own checks say, so these are tried too.
@Timeout(60)
class StampTest {
  private static final int THREADS = 4;

  /// So few that transactions meet.
  private static final int ROWS = 16;

  @TempDir Path dir;
  private Holdfast store;

  @BeforeEach
  void open() {
    store = Holdfast.open(dir.resolve("stamp.hf"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static int small(StampKind kind) {
    return kind == StampKind.SSCA2 ? 10 : 1_000;
  }

  /// INTRUDER-3 among them: of each kind of program.
  @ParameterizedTest
  @EnumSource
  void itsInvariantsHold(StampKind kind) {
    StampProgram program = kind.over(store, THREADS, small(kind));
    program.run();
    program.check();
    assertThat(store.transactions().committed()).isEqualTo(program.transactions());
  }

  @Test
  void vacationsInvariantsHoldWhenAllWantTheSame() {
    StampProgram program = new Vacation(store, store::hashMap, THREADS, 10_000, ROWS);
    program.run();
    program.check();
    assertThat(store.transactions().committed()).isEqualTo(10_000);
  }

  @Test
  void vacation1AnOfferIsUsedOrFree() {
    Vacation program = new Vacation(store, store::hashMap, 1, 200, ROWS);
    program.run();
    Map.Entry<Long, Vacation.Offer> any = program.relations.getFirst().entrySet().iterator().next();
    Vacation.Offer offer = any.getValue();
    program
        .relations
        .getFirst()
        .put(
            any.getKey(),
            new Vacation.Offer(offer.used(), offer.free() + 1, offer.total(), offer.price()));
    assertThatIllegalStateException()
        .isThrownBy(program::check)
        .withMessageStartingWith("VACATION-1");
  }

  @Test
  void vacation2WhatIsUsedIsBooked() {
    Vacation program = new Vacation(store, store::hashMap, 1, 200, ROWS);
    program.run();
    assertThat(program.customers.values()).anyMatch(each -> !each.bookings().isEmpty());
    program.customers.replaceAll((_, _) -> new Vacation.Customer(List.of()));
    assertThatIllegalStateException()
        .isThrownBy(program::check)
        .withMessageStartingWith("VACATION-2");
  }

  @Test
  void vacation2WhatIsBookedIsThere() {
    Vacation program = new Vacation(store, store::hashMap, 1, 200, ROWS);
    program.customers.put(1L, new Vacation.Customer(List.of(new Vacation.Booking(0, ROWS, 50))));
    assertThatIllegalStateException()
        .isThrownBy(program::check)
        .withMessageStartingWith("VACATION-2");
  }

  @Test
  void intruder1NothingIsLeft() {
    Intruder program = new Intruder(store, 1, 100);
    assertThatIllegalStateException()
        .isThrownBy(program::check)
        .withMessageStartingWith("INTRUDER-1");
  }

  @Test
  void intruder2EachFlowComesOut() {
    Intruder program = new Intruder(store, 1, 100);
    store.queue("packets", Traffic.Packet.class).clear();
    assertThatIllegalStateException()
        .isThrownBy(program::check)
        .withMessageStartingWith("INTRUDER-2");
  }

  @Test
  void intruder2AFlowComesOutAsItWasSent() {
    Intruder program = new Intruder(store, 1, 100);
    Queue<Traffic.Packet> packets = store.queue("packets", Traffic.Packet.class);
    Traffic.Packet first = packets.remove();
    packets.add(
        new Traffic.Packet(first.flow(), first.number(), first.packets(), "not what was sent"));
    program.run();
    assertThatIllegalStateException()
        .isThrownBy(program::check)
        .withMessageStartingWith("INTRUDER-2");
  }

  @Test
  void ssca1NoPlaceIsEmptyAndNoneTooMany() {
    Ssca2 program = new Ssca2(store, 1, 6);
    program.run();
    Long any = program.places.keySet().iterator().next();
    Long from = program.places.remove(any);
    assertThatIllegalStateException().isThrownBy(program::check).withMessageStartingWith("SSCA-1");
    program.places.put(any, from);
    program.check();
    program.places.put(-1L, from);
    assertThatIllegalStateException().isThrownBy(program::check).withMessageStartingWith("SSCA-1");
  }

  @Test
  void ssca2TheEdgesAreThoseOfTheList() {
    Ssca2 program = new Ssca2(store, 1, 6);
    program.run();
    program.places.replaceAll((_, from) -> from + 1);
    assertThatIllegalStateException().isThrownBy(program::check).withMessageStartingWith("SSCA-2");
  }
}
