package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.stress.workload.Payments;
import java.util.function.Supplier;

/// A fault: payments are ordered and made without a section.
public final class BarePayments extends Payments {
  @Override
  protected <T> T section(Holdfast store, Supplier<T> action) {
    return action.get();
  }
}
