package io.holdfast.stress.kill;

import io.holdfast.stress.workload.ExactlyOnce;
import java.time.Duration;

/// A fault: an id is forgotten before it is used again, so that its payment is made twice.
public final class ForgottenIds extends ExactlyOnce {
  @Override
  protected Duration idsKeptFor() {
    return Duration.ofNanos(1);
  }
}
