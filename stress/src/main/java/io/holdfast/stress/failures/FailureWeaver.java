package io.holdfast.stress.failures;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// Puts a call of {@link Trap} before each place of a class at which the JVM or the file system may
/// fail.
///
/// What the JDK does inside is one place, before it: a call fails as a whole. So a call of which
/// half is done by the time it fails is not tried.
final class FailureWeaver {
  private static final ClassDesc TRAP = ClassDesc.of(Trap.class.getName());
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);

  /// Classes of the JDK whose methods allocate nothing, as a rule: what their call sites link the
  /// first time is not what is tried.
  private static final Set<String> SPARING =
      Set.of(
          "java/lang/Math",
          "java/lang/Object",
          "java/lang/Runnable",
          "java/lang/Thread",
          "java/lang/invoke/VarHandle",
          "java/lang/foreign/MemorySegment",
          "java/util/Objects",
          "java/util/Arrays",
          "java/util/function/Consumer",
          "java/util/zip/CRC32C",
          "java/util/concurrent/atomic/AtomicBoolean",
          "java/util/concurrent/atomic/AtomicInteger",
          "java/util/concurrent/atomic/AtomicLong",
          "java/util/concurrent/atomic/AtomicLongArray",
          "java/util/concurrent/atomic/AtomicReference",
          "java/util/concurrent/atomic/AtomicReferenceArray",
          "java/util/concurrent/locks/ReentrantLock",
          "java/util/concurrent/locks/LockSupport");

  /// What allocates in one of them after all.
  private static final Set<String> LAVISH =
      Set.of(
          "asSlice",
          "asByteBuffer",
          "clone",
          "copyOf",
          "copyOfRange",
          "asList",
          "stream",
          "toString",
          "ofArray",
          "force",
          "newCondition",
          "start",
          "join",
          "ofVirtual",
          "ofPlatform",
          "getStackTrace",
          "toArray",
          "reinterpret");

  /// Methods of any class that allocate nothing.
  private static final Set<String> FREE =
      Set.of(
          "size",
          "isEmpty",
          "length",
          "charAt",
          "get",
          "nextSetBit",
          "signal",
          "signalAll",
          "clear",
          "contains",
          "containsKey",
          "equals",
          "hashCode",
          "compareTo",
          "compare",
          "compareUnsigned",
          "getClass",
          "ordinal",
          "hasNext",
          "unlock",
          "close",
          "remove",
          "release",
          "nanoTime",
          "currentTimeMillis",
          "identityHashCode",
          "arraycopy",
          "numberOfLeadingZeros",
          "numberOfTrailingZeros",
          "bitCount",
          "highestOneBit",
          "lowestOneBit",
          "rotateLeft",
          "reverse",
          "reverseBytes",
          "remainderUnsigned",
          "divideUnsigned",
          "booleanValue",
          "byteValue",
          "shortValue",
          "intValue",
          "longValue",
          "isInstance",
          "addSuppressed",
          "setRelease",
          "getAcquire");

  private final Map<String, Boolean> throwing = new ConcurrentHashMap<>();

  /// Looks at class files alone: to load a class in the middle of loading another one fails.
  private final ClassFile classFiles =
      ClassFile.of(
          ClassFile.ClassHierarchyResolverOption.of(
              ClassHierarchyResolver.ofResourceParsing(ClassLoader.getSystemClassLoader())
                  .cached()));

  byte[] weave(byte[] bytes) {
    return classFiles.transformClass(
        classFiles.parse(bytes),
        ClassTransform.transformingMethodBodies(CodeTransform.ofStateful(Places::new)));
  }

  private final class Places implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      trap(code, "frame");
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      switch (element) {
        case NewObjectInstruction _,
            NewPrimitiveArrayInstruction _,
            NewReferenceArrayInstruction _,
            NewMultiArrayInstruction _ ->
            trap(code, "allocation");
        case InvokeDynamicInstruction _ -> {
          trap(code, "allocation");
          trap(code, "link");
        }
        case InvokeInstruction call when !isOwn(call) -> {
          if (mayAllocate(call)) {
            trap(code, "allocation");
          }
          if (call.name().equalsString("force")
              && call.owner().name().equalsString("java/lang/foreign/MemorySegment")) {
            trap(code, "force");
          } else if (throwsIOException(call)) {
            trap(code, "file");
          }
          trap(code, "call");
        }
        default -> {
          // cannot fail
        }
      }
      code.with(element);
    }
  }

  private static void trap(CodeBuilder code, String place) {
    code.invokestatic(TRAP, place, NOTHING);
  }

  /// Whether it calls woven code, whose entry is a place.
  private static boolean isOwn(InvokeInstruction call) {
    return call.owner().asInternalName().startsWith("io/holdfast/");
  }

  private static boolean mayAllocate(InvokeInstruction call) {
    String name = call.name().stringValue();
    String owner = call.owner().asInternalName();
    return !FREE.contains(name) && (!SPARING.contains(owner) || LAVISH.contains(name));
  }

  private boolean throwsIOException(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    boolean isOfFiles =
        owner.startsWith("java/nio/")
            || owner.startsWith("java/io/")
            || owner.startsWith("jdk/nio");
    if (owner.equals("java/nio/channels/AsynchronousFileChannel")
        && (name.equals("read") || name.equals("write"))) {
      return true; // what it returns throws it
    }
    // A close that fails has closed.
    return isOfFiles
        && !name.equals("close")
        && throwing.computeIfAbsent(
            owner + "." + name + call.type().stringValue(), _ -> declares(call));
  }

  private static boolean declares(InvokeInstruction call) {
    try {
      Class<?> owner =
          Class.forName(
              call.owner().asInternalName().replace('/', '.'),
              false,
              ClassLoader.getPlatformClassLoader());
      Stream<? extends Executable> found =
          call.name().equalsString("<init>")
              ? Stream.of(owner.getDeclaredConstructors())
              : Stream.<Class<?>>iterate(owner, type -> type != null, Class::getSuperclass)
                  .flatMap(type -> Stream.of(type.getMethods()));
      return found
          .filter(
              each -> each.getName().equals(call.name().stringValue()) || !(each instanceof Method))
          .filter(each -> each.getParameterCount() == call.typeSymbol().parameterCount())
          .flatMap(each -> Stream.of(each.getExceptionTypes()))
          .anyMatch(IOException.class::isAssignableFrom);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
