package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.memory.ForwardingMemory;
import io.holdfast.core.memory.Memory;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForwardingMemoryTest {
  private static List<Event> recorded(RecordingMemory bytes, Memory memory) {
    bytes.record(true, false);
    memory.grow(256);
    memory.writePlain(0, 1);
    memory.releaseFence();
    memory.writeRelease(8, 2);
    memory.writeLoggedByte(17, (byte) 3);
    memory.writeEntryRelease(64, 4, 5, 6, 7);
    memory.writeBytesPlain(129, new byte[] {8, 9, 10}, 1, 2);
    memory.flush(0, 192);
    memory.fence();
    memory.zeroPlain(64, 32);
    memory.shrink(192);
    return bytes.recorded();
  }

  @Test
  void whatItHandsOnIsWhatTheMemoryBeneathDoes() {
    RecordingMemory direct = new RecordingMemory();
    RecordingMemory beneath = new RecordingMemory();
    List<Event> events = recorded(direct, direct);
    assertThat(events).hasSizeGreaterThan(10);
    assertThat(recorded(beneath, new ForwardingMemory(beneath) {})).isEqualTo(events);
  }
}
