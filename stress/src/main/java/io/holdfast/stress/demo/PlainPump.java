package io.holdfast.stress.demo;

import java.util.function.Supplier;

/// Plain code with a plain lock, which knows nothing of stores and sections.
final class PlainPump {
  synchronized <T> T call(Supplier<T> action) {
    return action.get();
  }
}
