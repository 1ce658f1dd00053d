package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.stream.Stream;

/// The calls of core's hooks that are woven in. Named, never linked to.
///
/// Test: HooksTest, that core has them all.
final class Hooks {
  static final String PACKAGE = "io.holdfast.core.section.hooks";
  static final String MODULE = "io.holdfast.core";

  /// Hooks after acquires, before releases and after releases of monitors, and twins of
  /// `Object.wait`.
  static final String CLASS = PACKAGE + ".MonitorHooks";

  static final ClassDesc MONITORS = ClassDesc.of(CLASS);

  /// Twins of the methods of `Lock` and `ReadWriteLock`, and hooks for calls by `super`.
  static final ClassDesc LOCKS = ClassDesc.of(PACKAGE, "LockHooks");

  /// Twins of the methods of `Condition`.
  static final ClassDesc CONDITIONS = ClassDesc.of(PACKAGE, "ConditionHooks");

  /// Twins of the methods of `StampedLock`.
  static final ClassDesc STAMPED_LOCKS = ClassDesc.of(PACKAGE, "StampedLockHooks");

  /// Hooks around what publishes without a lock.
  static final ClassDesc EDGES = ClassDesc.of(PACKAGE, "EdgeHooks");

  /// Twins of the methods that make and start a thread at once, and of `Thread.interrupted`.
  static final ClassDesc THREADS = ClassDesc.of(PACKAGE, "ThreadHooks");

  /// Hooks around what executors may run, and where it is handed to them.
  static final ClassDesc TASKS = ClassDesc.of(PACKAGE, "TaskHooks");

  /// What is called where something may be wrong, and, by the agent, at the first opening.
  static final String FINDINGS = PACKAGE + ".FindingHooks";

  private static final ClassDesc FINDING = ClassDesc.of(FINDINGS);
  private static final ClassDesc SECTIONS = ClassDesc.of(PACKAGE, "SectionHooks");

  /// All classes that woven code calls; {@link #CLASS} is the first.
  static final List<String> CLASSES =
      Stream.of(
              MONITORS, LOCKS, CONDITIONS, STAMPED_LOCKS, EDGES, THREADS, TASKS, FINDING, SECTIONS)
          .map(each -> each.packageName() + "." + each.displayName())
          .toList();

  private static final ClassDesc LOCK = ClassDesc.of("java.util.concurrent.locks.Lock");
  private static final MethodTypeDesc OF_OBJECT = MethodTypeDesc.of(CD_void, CD_Object);
  private static final MethodTypeDesc OF_ACCESS = MethodTypeDesc.of(CD_void, CD_Object, CD_boolean);
  private static final MethodTypeDesc OF_CLASS = MethodTypeDesc.of(CD_void, CD_Class);
  private static final MethodTypeDesc OF_THROWABLE = MethodTypeDesc.of(CD_void, CD_Throwable);
  private static final MethodTypeDesc OF_NAME = MethodTypeDesc.of(CD_void, CD_String);
  private static final MethodTypeDesc OF_LOCK = MethodTypeDesc.of(CD_void, LOCK);
  private static final MethodTypeDesc OF_TRIED = MethodTypeDesc.of(CD_boolean, CD_boolean, LOCK);

  /// Stack: monitor → nothing.
  static void acquired(CodeBuilder code) {
    code.invokestatic(MONITORS, "acquired", OF_OBJECT);
  }

  /// Stack: monitor → nothing.
  static void releasing(CodeBuilder code) {
    code.invokestatic(MONITORS, "releasing", OF_OBJECT);
  }

  /// Before a lock is released in a handler. Stack: nothing.
  static void failing(CodeBuilder code) {
    code.invokestatic(FINDING, "failing", MTD_void);
  }

  /// Before a call that may block. Stack: nothing.
  static void blocking(CodeBuilder code) {
    code.invokestatic(FINDING, "blocking", MTD_void);
  }

  /// Before a call of what may be a store's collection. Stack: collection → nothing.
  static void accessing(CodeBuilder code, boolean changes) {
    code.loadConstant(changes ? 1 : 0); // collection changes
    code.invokestatic(FINDING, "accessing", OF_ACCESS);
  }

  /// After a lock was released. Stack: nothing.
  static void released(CodeBuilder code) {
    code.invokestatic(MONITORS, "released", MTD_void);
  }

  /// Stack: nothing.
  static void enter(CodeBuilder code) {
    code.invokestatic(SECTIONS, "enterBlock", MTD_void);
  }

  /// Stack: nothing.
  static void exit(CodeBuilder code) {
    code.invokestatic(SECTIONS, "exitBlock", MTD_void);
  }

  /// Stack: channel → nothing.
  static void read(CodeBuilder code) {
    code.invokestatic(EDGES, "read", OF_OBJECT);
  }

  /// Stack: channel → nothing.
  static void writing(CodeBuilder code) {
    code.invokestatic(EDGES, "writing", OF_OBJECT);
  }

  /// The same if threads meet at it. Stack: collection → nothing.
  static void readShared(CodeBuilder code) {
    code.invokestatic(EDGES, "readShared", OF_OBJECT);
  }

  /// The same if threads meet at it. Stack: collection → nothing.
  static void writingShared(CodeBuilder code) {
    code.invokestatic(EDGES, "writingShared", OF_OBJECT);
  }

  /// Before a task is handed over. Stack: task → nothing.
  static void handing(CodeBuilder code) {
    code.invokestatic(TASKS, "handing", OF_OBJECT);
  }

  /// The same of one that is not known. Stack: nothing.
  static void handingAny(CodeBuilder code) {
    code.invokestatic(TASKS, "handing", MTD_void);
  }

  /// After a task's result was got. Stack: nothing.
  static void gotResult(CodeBuilder code) {
    code.invokestatic(TASKS, "gotResult", MTD_void);
  }

  /// Stack: task → nothing.
  static void taskBegins(CodeBuilder code) {
    code.invokestatic(TASKS, "begins", OF_OBJECT);
  }

  /// At the start of a lambda. Stack: nothing.
  ///
  /// @param owner the class that has its code
  /// @param isStage whether a future's completion may run it
  static void lambdaBegins(CodeBuilder code, ClassDesc owner, boolean isStage) {
    code.loadConstant(owner); // owner
    code.invokestatic(TASKS, isStage ? "stageBegins" : "begins", OF_CLASS);
  }

  /// Stack: unchanged.
  ///
  /// @param openly whether a section that the thread is in is told of as well
  static void taskEnds(CodeBuilder code, boolean openly) {
    code.invokestatic(TASKS, openly ? "endsOpenly" : "ends", MTD_void);
  }

  /// Stack: nothing.
  ///
  /// @param field its class and name
  static void readStatic(CodeBuilder code, String field) {
    code.ldc(field); // name
    code.invokestatic(EDGES, "readStatic", OF_NAME);
  }

  /// Stack: nothing.
  static void writingStatic(CodeBuilder code, String field) {
    code.ldc(field); // name
    code.invokestatic(EDGES, "writingStatic", OF_NAME);
  }

  /// Stack: nothing.
  static void readStaticByHandle(CodeBuilder code) {
    code.invokestatic(EDGES, "readStaticByHandle", MTD_void);
  }

  /// Stack: nothing.
  static void writingStaticByHandle(CodeBuilder code) {
    code.invokestatic(EDGES, "writingStaticByHandle", MTD_void);
  }

  /// Stack: exception → nothing.
  static void caught(CodeBuilder code) {
    code.invokestatic(THREADS, "caught", OF_THROWABLE);
  }

  /// Stack: lock → nothing.
  static void tookBySuper(CodeBuilder code) {
    code.invokestatic(LOCKS, "tookBySuper", OF_LOCK);
  }

  /// Stack: whether it was taken, lock → whether it was taken.
  static void triedBySuper(CodeBuilder code) {
    code.invokestatic(LOCKS, "tookBySuper", OF_TRIED);
  }

  /// Stack: lock → nothing.
  static void releasingBySuper(CodeBuilder code) {
    code.invokestatic(LOCKS, "releasingBySuper", OF_LOCK);
  }

  private Hooks() {}
}
