package io.holdfast.verification;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionDamagedException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CrewTest {
  @Test
  void whatAPartThrowsIsThrownAsItIs() {
    for (Throwable thrown :
        List.of(new OutOfMemoryError("a part's"), new RegionDamagedException("shop.hf: damaged"))) {
      try (Crew crew = new Crew(2)) {
        crew.run(() -> crew.run(() -> CrewTest.<RuntimeException>fail(thrown)));
        assertThatThrownBy(crew::await).isSameAs(thrown);
      }
    }
  }

  @Test
  void aPartThatIsRefusedIsNotWaitedFor() {
    Crew crew = new Crew(1);
    crew.close();
    assertThatExceptionOfType(RejectedExecutionException.class)
        .isThrownBy(() -> crew.run(() -> {}));
    crew.await();
  }

  @SuppressWarnings("unchecked") // the cast is none at run time
  private static <E extends Throwable> void fail(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
