package io.holdfast.core.log;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CsoFvbCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return CsoFvb.CSO_FVB;
  }

  @Override
  protected int[] lengths() {
    return new int[] {3, 8, 20, 4, 13};
  }

  @Override
  protected long capacity() {
    return 512;
  }

  /// FVB-2: every word of a payload is a header of the next lap.
  private static void appendHeaders(Store store, int length) {
    long[] payload = new long[length];
    long nextLap = store.log().tail() / store.log().capacity() + 2;
    Arrays.fill(payload, CsoFvbTest.header(nextLap, 3));
    store.log().append(payload, length);
  }

  @Test
  void dataThatLooksLikeAHeaderIsNeverAnEntry() {
    explorer("headers as data")
        .given(
            store -> {
              for (int i = 0; i < 3; i++) {
                appendHeaders(store, 13);
              }
              store.trim(3);
            })
        .state(Store::state)
        .step("append 3 words", store -> appendHeaders(store, 3))
        .step("append 20 words, around the end", store -> appendHeaders(store, 20))
        .step("trim", store -> store.trim(1))
        .step("append 4 words", store -> appendHeaders(store, 4))
        .step("append 10 words", store -> appendHeaders(store, 10))
        .explore();
  }
}
