package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// Brings the hooks to a class loader that does not find them: one that asks nobody else for
/// classes that nobody named to it, as OSGi's and many plug-in systems' do.
///
/// It gets classes of the hooks' names, *bridges*, whose methods call the real ones. So woven code
/// is the same everywhere. A bridge names classes of `java.base` alone, since that is all that such
/// a loader is sure to find: it takes the hooks' method handles out of the system properties, where
/// the agent puts them for the moment in which the bridge is initialized. They are constants to the
/// compilers, so a call over a bridge costs what a direct one costs.
///
/// Two copies of core would be two worlds of sections that don't see each other, so there must be
/// exactly one.
final class HookBridge {
  /// Neither a string nor there for long: `System.getProperties()` passes objects between loaders.
  /// Each bridge has a property of its own, with a number. If all shared one, a thread would keep
  /// the others from it while it asks a class loader, and they may hold that loader's lock.
  private static final String HANDLES = "io.holdfast.agent.hooks.";

  private static final AtomicLong BRIDGES = new AtomicLong();

  private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
  private static final ClassDesc PROPERTIES = ClassDesc.of("java.util.Properties");
  private static final ClassDesc MAP = ClassDesc.of("java.util.Map");
  private static final MethodTypeDesc GET = MethodTypeDesc.of(CD_Object, CD_Object);

  private final Instrumentation instrumentation;

  HookBridge(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /// @return the bridge to {@link Hooks#CLASS}, defined in the loader and ready like the others
  /// @throws WeavingException if there is not exactly one core, or the JVM does not let us
  Class<?> into(ClassLoader loader) {
    Class<?> hooks = realHooks();
    try {
      openLoaders();
      export(hooks.getModule());
      for (String name : Hooks.CLASSES) {
        if (!isThere(name, loader)) {
          define(loader, Class.forName(name, true, hooks.getClassLoader()));
        }
      }
      return Class.forName(Hooks.CLASS, false, loader);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      throw new WeavingException(
          "its class loader does not find the hooks, and they can't be brought to it: class=%s, loader=%s, cause=%s"
              .formatted(Hooks.CLASS, loader, e),
          e);
    }
  }

  private Class<?> realHooks() {
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> each : instrumentation.getAllLoadedClasses()) {
      if (each.getName().equals(Hooks.CLASS) && !isBridge(each)) {
        loaded.add(each);
      }
    }
    if (loaded.isEmpty()) {
      try {
        return Class.forName(Hooks.CLASS, false, ClassLoader.getSystemClassLoader());
      } catch (ClassNotFoundException | LinkageError e) {
        throw new WeavingException(
            "no class loader finds the hooks so far: class=%s. Put holdfast-core on the class path (Maven: io.holdfast:holdfast-core), or the module %s on the module path, with --add-modules %s if no module requires it"
                .formatted(Hooks.CLASS, Hooks.MODULE, Hooks.MODULE),
            e);
      }
    }
    if (loaded.size() > 1) {
      throw new WeavingException(
          "its class loader does not find the hooks, and several others have them: class=%s, loaders=%s. Have one copy of holdfast-core"
              .formatted(Hooks.CLASS, loaded.stream().map(each -> each.getClassLoader()).toList()));
    }
    return loaded.getFirst();
  }

  private static boolean isBridge(Class<?> hooks) {
    return Stream.of(hooks.getDeclaredFields())
        .anyMatch(field -> field.getType() == MethodHandle.class);
  }

  /// Lets this class call what only class loaders themselves may call.
  private void openLoaders() {
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(),
        Map.of("java.lang", Set.of(HookBridge.class.getModule())),
        Set.of(),
        Map.of());
  }

  private void export(Module core) {
    Module own = HookBridge.class.getModule();
    if (!core.isExported(Hooks.PACKAGE, own)) {
      instrumentation.redefineModule(
          core, Set.of(), Map.of(Hooks.PACKAGE, Set.of(own)), Map.of(), Set.of(), Map.of());
    }
  }

  private static void define(ClassLoader loader, Class<?> hooks)
      throws ReflectiveOperationException {
    Method define =
        ClassLoader.class.getDeclaredMethod(
            "defineClass",
            String.class,
            byte[].class,
            int.class,
            int.class,
            ProtectionDomain.class);
    define.setAccessible(true);
    List<Method> methods =
        Stream.of(hooks.getDeclaredMethods())
            .filter(each -> Modifier.isPublic(each.getModifiers()))
            .filter(each -> Modifier.isStatic(each.getModifiers()))
            .toList();
    String name = hooks.getName();
    String key = HANDLES + BRIDGES.incrementAndGet();
    System.getProperties().put(key, handles(methods));
    try {
      byte[] bytes = bridge(name, methods, key);
      define.invoke(loader, name, bytes, 0, bytes.length, null);
      Class.forName(name, true, loader);
    } catch (InvocationTargetException e) {
      if (!isThere(name, loader)) { // else another thread was faster
        throw e;
      }
    } finally {
      System.getProperties().remove(key);
    }
  }

  private static boolean isThere(String name, ClassLoader loader) {
    try {
      Class.forName(name, true, loader);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static Map<String, MethodHandle> handles(List<Method> methods)
      throws IllegalAccessException {
    Map<String, MethodHandle> handles = new HashMap<>();
    for (Method method : methods) {
      handles.put(nameOf(method), MethodHandles.lookup().unreflect(method));
    }
    return handles;
  }

  /// Hooks may have overloads; their types tell them apart.
  private static String nameOf(Method method) {
    return method.getName() + typeOf(method).descriptorString().replaceAll("[^A-Za-z]", "_");
  }

  private static MethodTypeDesc typeOf(Method method) {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
        .describeConstable()
        .orElseThrow();
  }

  private static byte[] bridge(String hooks, List<Method> methods, String key) {
    ClassDesc self = ClassDesc.of(hooks);
    return ClassFile.of()
        .build(
            self,
            builder -> {
              builder.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL);
              builder.withMethodBody(
                  CLASS_INIT_NAME,
                  MTD_void,
                  ClassFile.ACC_STATIC,
                  code -> {
                    for (Method method : methods) {
                      takeHandle(code, self, nameOf(method), key);
                    }
                    code.return_();
                  });
              for (Method method : methods) {
                forward(builder, self, method);
              }
            });
  }

  private static void takeHandle(CodeBuilder code, ClassDesc self, String name, String key) {
    code.invokestatic(SYSTEM, "getProperties", MethodTypeDesc.of(PROPERTIES))
        .ldc(key)
        .invokevirtual(PROPERTIES, "get", GET)
        .checkcast(MAP)
        .ldc(name)
        .invokeinterface(MAP, "get", GET)
        .checkcast(CD_MethodHandle)
        .putstatic(self, name, CD_MethodHandle);
  }

  private static void forward(ClassBuilder builder, ClassDesc self, Method method) {
    String name = nameOf(method);
    MethodTypeDesc type = typeOf(method);
    builder.withField(
        name, CD_MethodHandle, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
    builder.withMethodBody(
        method.getName(),
        type,
        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
        code -> {
          code.getstatic(self, name, CD_MethodHandle);
          int slot = 0;
          for (ClassDesc parameter : type.parameterList()) {
            TypeKind kind = TypeKind.from(parameter);
            code.loadLocal(kind, slot);
            slot += kind.slotSize();
          }
          code.invokevirtual(CD_MethodHandle, "invokeExact", type);
          code.return_(TypeKind.from(type.returnType()));
        });
  }
}
