package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.persistence.NativeChoice.Candidate;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeChoiceTest {
  private static final NativeCalls CALLS = new NativeCalls("clwb", null, null);

  private static Candidate found(String name) {
    return new Candidate(name, () -> CALLS);
  }

  private static Candidate refused(String name, Throwable reason) {
    return new Candidate(
        name,
        () -> {
          throw reason;
        });
  }

  @Test
  void theFirstThatWorksIsTakenAndTheNextIsNotAsked() {
    NativeChoice choice =
        NativeChoice.of(
            List.of(found("machine code"), refused("libpmem", new AssertionError("was asked"))));
    assertThat(choice.calls()).isSameAs(CALLS);
    assertThat(choice).hasToString("clwb");
  }

  /// The errors of linking count as refusals.
  @Test
  void whatWasRefusedIsNamed() {
    NativeChoice choice =
        NativeChoice.of(
            List.of(refused("machine code", new LinkageError("no page")), found("libpmem")));
    assertThat(choice.calls()).isSameAs(CALLS);
    assertThat(choice.isDenied()).isFalse();
    assertThat(choice).hasToString("clwb (machine code: no page)");
  }

  @Test
  void nothingIsLeft() {
    NativeChoice choice =
        NativeChoice.of(
            List.of(
                refused("machine code", new IllegalCallerException("denied")),
                refused("libpmem", new IllegalArgumentException("not installed"))));
    assertThat(choice.isAvailable()).isFalse();
    assertThat(choice.isDenied()).isTrue();
    assertThat(choice).hasToString("none (machine code: denied; libpmem: not installed)");
  }

  /// The second candidate itself: where there is no libpmem, it says so.
  @Test
  void libpmemIsFoundOrNamed() {
    NativeChoice choice =
        NativeChoice.of(List.of(new Candidate("libpmem", NativeCalls::ofLibpmem)));
    if (choice.isAvailable()) {
      assertThat(choice).hasToString("libpmem");
    } else {
      assertThat(choice.refusals()).contains("libpmem.so.1");
    }
  }
}
