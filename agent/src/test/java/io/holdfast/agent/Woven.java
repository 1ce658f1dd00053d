package io.holdfast.agent;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.stream.Stream;

/// An object of a woven class, whose methods are called by name, since the test's own class of that
/// name is another.
final class Woven {
  private final Object instance;

  Woven(WovenLoader loader, String name, Object... arguments) {
    try {
      Class<?> type = loader.loadClass(name);
      instance =
          Stream.of(type.getConstructors())
              .filter(each -> each.getParameterCount() == arguments.length)
              .findFirst()
              .orElseThrow()
              .newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  Object instance() {
    return instance;
  }

  Object call(String name, Object... arguments) {
    Method method =
        Stream.of(instance.getClass().getMethods())
            .filter(
                each ->
                    each.getName().equals(name)
                        && each.getParameterCount() == arguments.length
                        && takes(each, arguments))
            .findFirst()
            .orElseThrow();
    try {
      return method.invoke(instance, arguments);
    } catch (InvocationTargetException e) {
      throw Woven.<RuntimeException>unchecked(e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean takes(Method method, Object... arguments) {
    for (int i = 0; i < arguments.length; i++) {
      Class<?> type = method.getParameterTypes()[i];
      if (!type.isPrimitive() && arguments[i] != null && !type.isInstance(arguments[i])) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
