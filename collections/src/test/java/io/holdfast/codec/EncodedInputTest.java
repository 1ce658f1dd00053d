package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EncodedInputTest {
  /// What is read, from which bytes, and the message without `, position=3, limit=…`.
  static Stream<Arguments> refusals() {
    return Stream.of(
        row("", EncodedInput::readByte, "Cannot read a byte: length=1 bytes, remaining=0 bytes"),
        row(
            "010203",
            EncodedInput::readInt,
            "Cannot read an int: length=4 bytes, remaining=3 bytes"),
        row(
            "0102",
            EncodedInput::readLong,
            "Cannot read a long: length=8 bytes, remaining=2 bytes"),
        row("01", in -> in.readBytes(2), "Cannot read bytes: length=2 bytes, remaining=1 bytes"),
        row("01", in -> in.readBytes(-1), "Cannot read bytes: length=-1 bytes, remaining=1 bytes"),
        row(
            "01",
            in -> in.readBytes(Integer.MAX_VALUE),
            "Cannot read bytes: length=2147483647 bytes, remaining=1 bytes"),
        row(
            "01",
            in -> {
              in.readBytes(new byte[4], 1, 2);
              return null;
            },
            "Cannot read bytes: length=2 bytes, remaining=1 bytes"),
        row("", EncodedInput::readLength, "Cannot read a length: it has no end"),
        row("8080", EncodedInput::readLength, "Cannot read a length: it has no end"),
        row(
            "8000",
            EncodedInput::readLength,
            "Cannot read a length: it is over 32 bits or not in its shortest form"),
        row(
            "8080808000",
            EncodedInput::readLength,
            "Cannot read a length: it is over 32 bits or not in its shortest form"),
        row(
            "ffffffff10",
            EncodedInput::readLength,
            "Cannot read a length: it is over 32 bits or not in its shortest form"),
        row(
            "ffffffffff01",
            EncodedInput::readLength,
            "Cannot read a length: it is over 32 bits or not in its shortest form"),
        row(
            "ffffffff0f",
            EncodedInput::readLength,
            "Cannot read a length: it is over 2147483647: length=4294967295"),
        row(
            "0401020304050607",
            in -> in.readLength(2),
            "Cannot read a length: too few bytes follow: length=4 of 2 bytes each,"
                + " remaining=7 bytes"),
        row(
            "ffffffff07",
            in -> in.readLength(Long.BYTES),
            "Cannot read a length: too few bytes follow: length=2147483647 of 8 bytes each,"
                + " remaining=0 bytes"),
        row(
            "fcffffff0f",
            EncodedInput::readString,
            "Cannot read a string: too few bytes follow: length=2147483646 of 1 bytes each,"
                + " remaining=0 bytes"),
        row(
            "ffffffff0f00",
            EncodedInput::readString,
            "Cannot read a string: too few bytes follow: length=2147483647 of 2 bytes each,"
                + " remaining=1 bytes"),
        row(
            "05 6100 6200",
            EncodedInput::readString,
            "Cannot read a string: it has two bytes a char and needs one: chars=2"),
        row(
            "01",
            EncodedInput::readString,
            "Cannot read a string: it has two bytes a char and needs one: chars=0"),
        row(
            "0000",
            in -> {
              in.expectEnd();
              return null;
            },
            "Bytes remain after the value: remaining=2 bytes"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void refusalNamesTheAttemptAndLeavesThePosition(String hex, Read read, String message) {
    byte[] bytes = Samples.hex("aaaaaa" + hex + "bbbbbbbbbbbbbbbbbb");
    int length = Samples.hex(hex).length;
    EncodedInput in = new EncodedInput();
    in.reset(bytes, 3, length);
    assertThatThrownBy(() -> read.from(in))
        .isExactlyInstanceOf(CodecException.class)
        .hasMessage(message + ", position=3, limit=" + (3 + length));
    assertThat(in.remaining()).isEqualTo(length);
  }

  @Test
  void aNewInputIsEmpty() {
    EncodedInput in = new EncodedInput();
    assertThat(in.remaining()).isZero();
    in.expectEnd();
    assertThatThrownBy(in::readByte).isInstanceOf(CodecException.class);
  }

  @Test
  void readsAreCountedByRemaining() {
    EncodedInput in = Samples.input(Samples.hex("7f 01000000 0200000000000000 0304 05"));
    assertThat(in.readByte()).isEqualTo((byte) 0x7f);
    assertThat(in.readInt()).isEqualTo(1);
    assertThat(in.readLong()).isEqualTo(2);
    assertThat(in.remaining()).isEqualTo(3);
    byte[] target = new byte[4];
    in.readBytes(target, 1, 2);
    assertThat(target).containsExactly(0, 3, 4, 0);
    assertThat(in.readBytes(1)).containsExactly(5);
    in.expectEnd();
  }

  @Test
  void aPieceOutsideTheArrayIsMisuse() {
    EncodedInput in = new EncodedInput();
    refusesPiece(() -> in.reset(new byte[4], 3, 2));
    refusesPiece(() -> in.reset(new byte[4], -1, 2));
    refusesPiece(() -> in.readBytes(new byte[4], 3, 2));
  }

  private static void refusesPiece(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
  }

  interface Read {
    Object from(EncodedInput in);
  }

  private static Arguments row(String hex, Read read, String message) {
    return Arguments.of(hex, read, message);
  }
}
