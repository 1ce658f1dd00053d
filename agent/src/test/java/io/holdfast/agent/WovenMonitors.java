package io.holdfast.agent;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.stream.Stream;

/// A woven `com.acme.Monitors`, called by name, since the test's own class of that name is another.
final class WovenMonitors {
  private final Class<?> type;
  final Object instance;

  WovenMonitors(WovenLoader loader) {
    try {
      type = loader.loadClass("com.acme.Monitors");
      instance = type.getConstructor(String.class).newInstance("monitors");
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  Class<?> type() {
    return type;
  }

  Object call(String method, Object... arguments) throws Throwable {
    Method found =
        Stream.of(type.getMethods())
            .filter(each -> each.getName().equals(method))
            .findFirst()
            .orElseThrow();
    try {
      return found.invoke(instance, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
