package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/// Stands in for core's hooks: writes down what they were told, and throws when asked to.
public final class HookRecorder {
  /// More than any test has.
  private static final int EVENTS_MAX = 100;

  private static final List<String> EVENTS = new ArrayList<>();
  private static final AtomicInteger RELEASED = new AtomicInteger();
  private static Predicate<String> throwsAt = _ -> false;

  static void reset() {
    EVENTS.clear();
    RELEASED.set(0);
    throwsAt = _ -> false;
  }

  static void throwAt(Predicate<String> event) {
    throwsAt = event;
  }

  static void add(String event) {
    EVENTS.add(event);
  }

  static List<String> events() {
    return List.copyOf(EVENTS);
  }

  public static void acquired(Object lock) {
    record("acquired", lock);
  }

  public static void releasing(Object lock) {
    record("releasing", lock);
  }

  /// Is told nothing of the lock; the next recorded event shows whether it was given up.
  public static void released() {
    RELEASED.incrementAndGet();
    if (throwsAt.test("released")) {
      throw new StackOverflowError("thrown by the hook released");
    }
  }

  /// How often a release was told of.
  static int releases() {
    return RELEASED.get();
  }

  private static void record(String hook, Object lock) {
    String name = lock instanceof Class<?> type ? type.getSimpleName() : lock.toString();
    String event = hook + " " + name + (Thread.holdsLock(lock) ? "" : " WITHOUT ITS MONITOR");
    EVENTS.add(event);
    while (EVENTS.size() > EVENTS_MAX) {
      LockSupport.park(); // woven code that loops can't be left by an exception, only by a timeout
    }
    if (throwsAt.test(event)) {
      throw new StackOverflowError("thrown by the hook " + hook);
    }
  }

  /// A class with the name of core's hooks that calls this one.
  static byte[] hooks() {
    ClassDesc recorder = HookRecorder.class.describeConstable().orElseThrow();
    MethodTypeDesc type = MethodTypeDesc.of(CD_void, CD_Object);
    return ClassFile.of()
        .build(
            ClassDesc.of(Hooks.CLASS),
            hooks -> {
              for (String name : List.of("acquired", "releasing")) {
                hooks.withMethodBody(
                    name,
                    type,
                    ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                    code -> code.aload(0).invokestatic(recorder, name, type).return_());
              }
              hooks.withMethodBody(
                  "released",
                  MTD_void,
                  ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                  code -> code.invokestatic(recorder, "released", MTD_void).return_());
            });
  }

  private HookRecorder() {}
}
