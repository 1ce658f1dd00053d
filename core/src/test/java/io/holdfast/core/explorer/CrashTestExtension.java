package io.holdfast.core.explorer;

import io.holdfast.core.Durability;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/// Calls a {@link CrashTest} once for each failure, gives it an explorer, and explores.
final class CrashTestExtension implements TestTemplateInvocationContextProvider {
  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    CrashTest test = context.getRequiredTestMethod().getAnnotation(CrashTest.class);
    return Arrays.stream(test.value()).map(durability -> invocation(test, durability));
  }

  private static TestTemplateInvocationContext invocation(CrashTest test, Durability durability) {
    return new TestTemplateInvocationContext() {
      @Override
      public String getDisplayName(int index) {
        return durability.toString();
      }

      @Override
      public List<Extension> getAdditionalExtensions() {
        return List.of(new Invocation(test, durability));
      }
    };
  }

  /// One call of a test's method.
  private static final class Invocation implements ParameterResolver, InvocationInterceptor {
    private final CrashTest test;
    private final Durability durability;
    private CrashExplorer<?> explorer;

    Invocation(CrashTest test, Durability durability) {
      this.test = test;
      this.durability = durability;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      Class<?> type = parameter.getParameter().getType();
      return type == CrashExplorer.class || type == Durability.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      if (parameter.getParameter().getType() == Durability.class) {
        return durability;
      }
      StoreOpener<?> opener =
          test.opener() == CrashTest.Registered.class
              ? registered(parameter.getParameter().getParameterizedType())
              : made(test.opener());
      Method method = context.getRequiredTestMethod();
      explorer =
          explorer(method.getDeclaringClass().getSimpleName() + "." + method.getName(), opener);
      return explorer;
    }

    private <T> CrashExplorer<T> explorer(String name, StoreOpener<T> opener) {
      return CrashExplorer.of(name, memory -> opener.open(memory, durability))
          .surviving(durability);
    }

    private static StoreOpener<?> made(Class<? extends StoreOpener<?>> type) {
      try {
        Constructor<? extends StoreOpener<?>> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
      } catch (ReflectiveOperationException e) {
        throw new ExtensionConfigurationException(
            "opener=%s: it needs a constructor without parameters".formatted(type.getName()), e);
      }
    }

    private static StoreOpener<?> registered(Type parameter) {
      if (parameter instanceof ParameterizedType explorer) {
        Type store = explorer.getActualTypeArguments()[0];
        for (StoreOpener<?> opener : ServiceLoader.load(StoreOpener.class)) {
          if (opener.type().equals(store)) {
            return opener;
          }
        }
      }
      throw new ExtensionConfigurationException(
          "%s: no StoreOpener is registered for this. Name one: @CrashTest(opener = …)"
              .formatted(parameter.getTypeName()));
    }

    @Override
    public void interceptTestTemplateMethod(
        InvocationInterceptor.Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      invocation.proceed();
      if (explorer == null) {
        throw new ExtensionConfigurationException(
            "a crash test has a parameter: CrashExplorer of the store's type");
      }
      if (!explorer.isExplored()) {
        explorer.explore();
      }
    }
  }
}
