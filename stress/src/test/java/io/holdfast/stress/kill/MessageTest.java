package io.holdfast.stress.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A worker's messages are read as they were sent, whatever its dying JVM prints between them.
class MessageTest {
  private static final byte[] REPORT =
      "#\n# A fatal error has been detected".getBytes(StandardCharsets.US_ASCII);

  @Test
  void textBetweenMessagesIsAFailureAndShiftsNothing() throws IOException {
    Message first = new Message(52, 2);
    Message second = new Message(Message.STAGE, 0x2300_0000_0000_0000L);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    first.writeTo(out);
    out.write(REPORT);
    second.writeTo(out);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(out.toByteArray()));
    List<Message> read = new ArrayList<>();
    for (Message message = Message.readFrom(in); message != null; message = Message.readFrom(in)) {
      read.add(message);
    }
    assertThat(read).startsWith(first).endsWith(second).hasSize(2 + REPORT.length);
    assertThat(read.subList(1, read.size() - 1)).containsOnly(new Message(Message.FAILURE, 0));
  }
}
