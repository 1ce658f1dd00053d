package io.holdfast.testkit;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.Memory;
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

/// Calls a {@link CrashTest} once for each failure and variant, gives it an explorer, and explores.
final class CrashTestExtension implements TestTemplateInvocationContextProvider {
  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Method method = context.getRequiredTestMethod();
    CrashTest test = method.getAnnotation(CrashTest.class);
    StoreOpener<?> opener =
        test.opener() == CrashTest.Registered.class ? registered(method) : made(test.opener());
    return Arrays.stream(test.value())
        .flatMap(
            durability -> {
              List<? extends StoreOpener<?>> variants = opener.variants(durability);
              return variants.stream()
                  .map(variant -> invocation(variant, durability, variants.size() == 1));
            });
  }

  private static TestTemplateInvocationContext invocation(
      StoreOpener<?> opener, Durability durability, boolean isOnly) {
    String name = isOnly ? durability.toString() : durability + ", " + opener;
    return new TestTemplateInvocationContext() {
      @Override
      public String getDisplayName(int index) {
        return name;
      }

      @Override
      public List<Extension> getAdditionalExtensions() {
        return List.of(new Invocation(opener, durability, isOnly ? "" : ", " + opener));
      }
    };
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

  private static StoreOpener<?> registered(Method method) {
    for (Type parameter : method.getGenericParameterTypes()) {
      if (parameter instanceof ParameterizedType explorer
          && explorer.getRawType() == CrashExplorer.class) {
        Type store = explorer.getActualTypeArguments()[0];
        for (StoreOpener<?> opener : ServiceLoader.load(StoreOpener.class)) {
          if (opener.type().equals(store)) {
            return opener;
          }
        }
      }
    }
    throw new ExtensionConfigurationException(
        "%s: no StoreOpener is registered for what it explores. It has a parameter CrashExplorer of the store's type; name an opener: @CrashTest(opener = …)"
            .formatted(method));
  }

  /// One call of a test's method.
  private static final class Invocation implements ParameterResolver, InvocationInterceptor {
    private final StoreOpener<?> opener;
    private final Durability durability;
    private final String variant;
    private CrashExplorer<?> explorer;

    Invocation(StoreOpener<?> opener, Durability durability, String variant) {
      this.opener = opener;
      this.durability = durability;
      this.variant = variant;
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
      Method method = context.getRequiredTestMethod();
      explorer =
          explorer(
              method.getDeclaringClass().getSimpleName() + "." + method.getName() + variant,
              opener);
      return explorer;
    }

    private <T> CrashExplorer<T> explorer(String name, StoreOpener<T> opener) {
      CrashExplorer<T> made =
          CrashExplorer.of(name, (Memory memory) -> opener.open(memory, durability))
              .surviving(durability);
      if (opener.acknowledges()) {
        made.acknowledging();
      }
      return opener.opensOnDisks() ? made : made.withoutDisk();
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
