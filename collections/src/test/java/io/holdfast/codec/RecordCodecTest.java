package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTest {
  private record Secret(long id, Inner inner) {
    private record Inner(String text) {}
  }

  private record Age(int years) {
    Age {
      if (years < 0) {
        throw new IllegalArgumentException("years must not be negative: " + years);
      }
    }
  }

  private record Person(String name, Age age) {}

  private record Grumpy(int n) {
    @Override
    public int n() {
      throw new IllegalStateException("not now");
    }
  }

  private record Sneaky(int n) {
    Sneaky {
      RecordCodecTest.<RuntimeException>sneak(new IOException("disk"));
    }
  }

  private record Deep(int n) {
    Deep {
      if (n < 0) {
        throw new StackOverflowError();
      }
    }
  }

  private record Blob(byte... bytes) {}

  private record Ordered(int a, String b, long c, String d, int e) {}

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void sneak(Exception e) throws E {
    throw (E) e;
  }

  /// Programs ask for a map by the classes of its keys and values each time that they need it.
  @Test
  void handlesAreComposedOnce() {
    assertThat(Codec.of(Person.class)).isSameAs(Codec.of(Person.class));
  }

  @Test
  void privateNestedRecordsComeBack() {
    Codec<Secret> codec = Codec.of(Secret.class);
    Secret secret = new Secret(5, new Secret.Inner("x"));
    assertThat(Samples.decode(codec, Samples.encode(codec, secret))).isEqualTo(secret);
  }

  @Test
  void aLocalRecordComesBack() {
    record Local(Integer n) {}
    Codec<Local> codec = Codec.of(Local.class);
    assertThat(Samples.decode(codec, Samples.encode(codec, new Local(null))))
        .isEqualTo(new Local(null));
  }

  @Test
  void aRecordOfVarargsComesBack() {
    Codec<Blob> codec = Codec.of(Blob.class);
    byte[] bytes = {1, 2};
    assertThat(Samples.decode(codec, Samples.encode(codec, new Blob(bytes))).bytes())
        .isEqualTo(bytes);
    assertThat(Samples.decode(codec, Samples.encode(codec, new Blob((byte[]) null))).bytes())
        .isNull();
  }

  @Test
  void componentsAreWrittenInDeclarationOrder() {
    Codec<Ordered> codec = Codec.of(Ordered.class);
    assertThat(Samples.encode(codec, new Ordered(1, "b", 2, null, 3)))
        .isEqualTo(Samples.hex("05 01000000 010262 0200000000000000 00 03000000"));
  }

  @Test
  void theConstructorChecksWhatIsRead() {
    byte[] bytes = Samples.hex("01 ffffffff");
    assertThatThrownBy(() -> Samples.decode(Codec.of(Age.class), bytes))
        .isExactlyInstanceOf(CodecException.class)
        .hasMessage(
            "The canonical constructor of record io.holdfast.codec.RecordCodecTest$Age threw"
                + " java.lang.IllegalArgumentException: years must not be negative: -1")
        .hasCauseExactlyInstanceOf(IllegalArgumentException.class);
  }

  /// The outer constructor is not to blame: the exception is wrapped once.
  @Test
  void theConstructorOfANestedRecordIsNamed() {
    byte[] bytes = Samples.hex("02 00 01 01 ffffffff");
    assertThatThrownBy(() -> Samples.decode(Codec.of(Person.class), bytes))
        .isExactlyInstanceOf(CodecException.class)
        .hasMessageStartingWith(
            "The canonical constructor of record io.holdfast.codec.RecordCodecTest$Age threw")
        .hasCauseExactlyInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anAccessorThatThrowsIsNamed() {
    assertThatThrownBy(() -> Samples.encode(Codec.of(Grumpy.class), new Grumpy(1)))
        .isExactlyInstanceOf(CodecException.class)
        .hasMessage(
            "Accessor n() of record io.holdfast.codec.RecordCodecTest$Grumpy threw"
                + " java.lang.IllegalStateException: not now")
        .hasCauseExactlyInstanceOf(IllegalStateException.class);
  }

  @Test
  void aCheckedExceptionThatWasThrownInSecretIsTheCause() {
    byte[] bytes = new byte[1];
    assertThatThrownBy(() -> Samples.decode(Codec.of(Sneaky.class), bytes))
        .isExactlyInstanceOf(CodecException.class)
        .hasCauseExactlyInstanceOf(IOException.class);
  }

  @Test
  void anErrorStaysWhatItIs() {
    byte[] bytes = Samples.hex("01 ffffffff");
    assertThatThrownBy(() -> Samples.decode(Codec.of(Deep.class), bytes))
        .isExactlyInstanceOf(StackOverflowError.class);
  }

  /// It comes from the output, not from the record.
  @Test
  void anOutputThatIsFullIsNotAFailureOfTheRecord() {
    Codec<Secret.Inner> codec = Codec.of(Secret.Inner.class);
    EncodedOutput small = new EncodedOutput("An encoded value", 1_000);
    assertThatThrownBy(() -> codec.encode(new Secret.Inner("x".repeat(1_000)), small))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("An encoded value must fit in 1000 bytes");
  }

  @ParameterizedTest
  @ValueSource(bytes = {2, -1})
  void aMarkerThatIsNeitherNullNorValueIsRefused(byte marker) {
    EncodedInput in = Samples.input((byte) 1, marker, (byte) 0);
    assertThatThrownBy(() -> Codec.of(Secret.Inner.class).decode(in))
        .isExactlyInstanceOf(CodecException.class)
        .hasMessage(
            "Cannot read a component of a record: its marker is none: marker="
                + marker
                + ", position=1, limit=3");
  }

  @Test
  void nullIsRefused() {
    for (Samples.Kind<?> kind : Samples.KINDS) {
      Codec<?> codec = kind.codec();
      assertThatThrownBy(() -> codec.encode(null, new EncodedOutput()))
          .as(codec.fingerprint())
          .isExactlyInstanceOf(NullPointerException.class);
    }
  }

  @Test
  @SuppressWarnings("unchecked") // what a raw type lets through
  void aValueOfAnotherClassIsRefused() {
    Codec<Object> codec = (Codec<Object>) (Codec<?>) Codec.of(Age.class);
    assertThatThrownBy(() -> codec.encode("x", new EncodedOutput()))
        .isInstanceOf(ClassCastException.class);
  }

  /// Threads share a codec, each with an output and an input of its own.
  @Test
  void threadsShareACodec() throws InterruptedException {
    Codec<Ordered> codec = Codec.of(Ordered.class);
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int id = t;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  Ordered value = new Ordered(id, "b" + i, i, null, -i);
                  assertThat(Samples.decode(codec, Samples.encode(codec, value))).isEqualTo(value);
                }
              });
      thread.setUncaughtExceptionHandler(
          (_, e) -> {
            synchronized (failures) {
              failures.add(e);
            }
          });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }
}
