package io.holdfast.agent;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Makes sections of one class's locks, and edges of what its threads hand to each other otherwise.
/// Methods in which nothing is found are copied byte for byte.
///
/// Used for one class, once.
final class Weaver {
  /// `ldc` of a class came with Java 5.
  private static final int LDC_CLASS_VERSION = ClassFile.JAVA_5_VERSION;

  private static final MethodTransform NOT_SYNCHRONIZED =
      (method, element) -> {
        if (element instanceof AccessFlags flags) {
          method.withFlags(flags.flagsMask() & ~ClassFile.ACC_SYNCHRONIZED);
        } else {
          method.with(element);
        }
      };

  private static final String FAILURE_ATOMIC = "Lio/holdfast/FailureAtomic;";
  private static final String NOT_FAILURE_ATOMIC = "Lio/holdfast/NotFailureAtomic;";

  private final ClassModel model;
  private final ClassFile classFile;
  private final KnownClasses classes;
  private final References references;
  private final FirstLook firstLook;
  private final TaskBodies tasks;
  private final boolean leavesLocksOut;
  private final boolean keepsModifiers;
  private final Place place = new Place();
  private final List<WovenMethod> methods = new ArrayList<>();

  /// What became of a class.
  ///
  /// @param bytes the woven class file, or nothing if there was nothing to weave
  /// @param methods in which something was found, woven or not
  /// @param marked whether it was woven before (MARK-1)
  /// @param lacking classes whose files would tell the types in it, and are not to be found
  record Result(
      Optional<byte[]> bytes, List<WovenMethod> methods, boolean marked, Set<String> lacking) {
    /// Whether more was woven than calls of collections that may be shared, and possible tasks.
    boolean isWoven() {
      return bytes.isPresent()
          && methods.stream()
              .flatMap(method -> method.sites().stream())
              .anyMatch(site -> site.construct().isWoven() && site.construct().isTold());
    }

    /// How often a construct was found in the class.
    int count(Construct construct) {
      return methods.stream().mapToInt(method -> method.count(construct)).sum();
    }
  }

  private Weaver(
      byte[] bytes, ClassLoader loader, boolean keepsModifiers, boolean asks, Extras extras) {
    this.model = ClassFile.of().parse(bytes);
    this.classes = new KnownClasses(model, loader);
    this.classFile = ClassFile.of(ClassHierarchyResolverOption.of(ClassHierarchy.around(classes)));
    this.references = new References(model, classes, !keepsModifiers);
    this.firstLook = new FirstLook(model, classes, asks, extras);
    this.tasks = new TaskBodies(model, classes, asks && extras.tasks());
    this.leavesLocksOut = has(model, NOT_FAILURE_ATOMIC);
    this.keepsModifiers = keepsModifiers;
  }

  /// @param loader of the class, whose resources tell its frames' types; `null` for the boot loader
  /// @throws WeavingException naming method, instruction and cause
  static Result weave(byte[] bytes, ClassLoader loader) {
    return weave(bytes, loader, false, Extras.DEFAULT);
  }

  /// The same, of a class that may be loaded already.
  ///
  /// Calls of collections that may be shared ({@link Construct#SHARED}) and possible tasks ({@link
  /// Construct#TASK}) are in many classes. They are left out where they would make a class too
  /// large, or need the types of classes that are not to be found: the JVM would refuse one that
  /// has run so far.
  ///
  /// @param keepsModifiers whether its methods are to have the modifiers that they have
  /// @param extras what else is wanted
  static Result weave(byte[] bytes, ClassLoader loader, boolean keepsModifiers, Extras extras) {
    try {
      Weaver weaver = weaver(bytes, loader, keepsModifiers, true, extras);
      Result result = weaver.tryToWeave();
      if (result.lacking().isEmpty()
          || result.count(Construct.SHARED) + result.count(Construct.TASK) == 0) {
        return result;
      }
    } catch (WeavingException _) {
      // thrown again below, if these calls are not why
    }
    return weaver(bytes, loader, keepsModifiers, false, extras).tryToWeave();
  }

  private static Weaver weaver(
      byte[] bytes, ClassLoader loader, boolean keepsModifiers, boolean asks, Extras extras) {
    try {
      return new Weaver(bytes, loader, keepsModifiers, asks, extras);
    } catch (RuntimeException e) {
      throw new WeavingException("not a class file that JDK 25 can read: " + e, e);
    }
  }

  private Result tryToWeave() {
    try {
      return weave();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError e) {
      throw new WeavingException(place + ": " + reason(e), e);
    }
  }

  private static String reason(Throwable e) {
    if (e instanceof WeavingException) {
      return e.getMessage();
    }
    String message = String.valueOf(e.getMessage());
    if (e instanceof IllegalArgumentException && message.contains("Code length")) {
      return "the hooks make it larger than the 65,535 bytes that the JVM allows; split it: " + e;
    }
    return e instanceof IllegalArgumentException && message.contains("is not a valid index")
        ? "its constant pool is full; split the class: " + e
        : e.toString();
  }

  private Result weave() {
    if (WovenMark.isOn(model)) {
      return new Result(Optional.empty(), List.of(), true, Set.of());
    }
    Map<MethodModel, CodeTransform> transforms = new HashMap<>();
    for (MethodModel method : model.methods()) {
      place.enter(method);
      plan(method).ifPresent(transform -> transforms.put(method, transform));
    }
    if (transforms.isEmpty()) {
      return new Result(Optional.empty(), methods, false, Set.of());
    }
    byte[] woven = classFile.transformClass(model, new Weaving(transforms));
    return new Result(Optional.of(woven), methods, false, classes.lacking());
  }

  /// One transform, not two in a chain: after another one, code would be built from a copy, and
  /// code that must be built twice would go wrong.
  private final class Weaving implements ClassTransform {
    private final Map<MethodModel, CodeTransform> transforms;

    Weaving(Map<MethodModel, CodeTransform> transforms) {
      this.transforms = transforms;
    }

    @Override
    public void accept(ClassBuilder builder, ClassElement element) {
      if (element instanceof MethodModel method && transforms.containsKey(method)) {
        place.enter(method);
        MethodTransform transform = MethodTransform.transformingCode(transforms.get(method));
        builder.transformMethod(
            method, locksItself(method) ? NOT_SYNCHRONIZED.andThen(transform) : transform);
      } else {
        builder.with(element);
      }
    }

    @Override
    public void atEnd(ClassBuilder builder) {
      references.writeBridges(builder);
      builder.with(WovenMark.ofThisWeaver());
    }
  }

  /// Whether a `synchronized` method is woven into one that is not ({@link SectionBody}). Modifiers
  /// are part of the serial version that the JVM computes for a class without one.
  private boolean locksItself(MethodModel method) {
    return method.flags().has(AccessFlag.SYNCHRONIZED)
        && !leavesLocksOut
        && !has(method, NOT_FAILURE_ATOMIC)
        && !keepsModifiers
        && !hasComputedSerialVersion();
  }

  private boolean hasComputedSerialVersion() {
    return model.fields().stream()
            .noneMatch(field -> field.fieldName().equalsString("serialVersionUID"))
        && classes.maySerialize(model.thisClass().asInternalName());
  }

  private Optional<CodeTransform> plan(MethodModel method) {
    boolean leavesOut = leavesLocksOut || has(method, NOT_FAILURE_ATOMIC);
    boolean isAtomic = has(method, FAILURE_ATOMIC);
    boolean isSynchronized = method.flags().has(AccessFlag.SYNCHRONIZED);
    if (isAtomic && has(method, NOT_FAILURE_ATOMIC)) {
      throw new WeavingException("it is annotated @FailureAtomic and @NotFailureAtomic");
    }
    Optional<CodeAttribute> body = method.findAttribute(Attributes.code());
    if (body.isEmpty()) {
      refuseIfSection(method, isAtomic, isSynchronized && !leavesOut);
      return Optional.empty();
    }
    CodeAttribute code = body.get();
    boolean isTask = tasks.contains(method);
    if (!isAtomic && !isSynchronized && !isTask && !firstLook.mayConcern(code)) {
      return Optional.empty();
    }
    MethodPlan plan =
        new MethodPlan(method, code, firstLook, classes, references, leavesOut, place);
    if (isSynchronized) {
      plan.add(
          leavesOut ? Construct.LEFT_OUT : Construct.METHOD,
          leavesOut
              ? Construct.METHOD.toString()
              : locksItself(method) ? "" : "that keeps its lock while it waits for a disk");
    }
    if (isAtomic) {
      plan.add(Construct.ANNOTATED, "");
    }
    if (isTask) {
      plan.addTask();
    }
    if (!plan.sites().isEmpty()) {
      methods.add(
          new WovenMethod(
              model.thisClass().asInternalName(),
              method.methodName().stringValue(),
              method.methodType().stringValue(),
              plan.sites()));
    }
    return transform(method, code, plan, isAtomic, isSynchronized && !leavesOut);
  }

  private static void refuseIfSection(
      MethodModel method, boolean isAtomic, boolean isSynchronized) {
    String kind = method.flags().has(AccessFlag.NATIVE) ? "a native" : "an abstract";
    if (isAtomic) {
      throw new WeavingException(
          kind + " method has no body to weave, but is annotated @FailureAtomic");
    }
    if (isSynchronized) {
      throw new WeavingException(kind + " synchronized method has no body to weave");
    }
  }

  /// The parts are made anew for each try: they have state, and code whose jumps grow beyond 32 KiB
  /// is built twice.
  private Optional<CodeTransform> transform(
      MethodModel method,
      CodeModel code,
      MethodPlan plan,
      boolean isAtomic,
      boolean isSynchronized) {
    List<CodeTransform> parts = new ArrayList<>();
    if (!plan.changes().isEmpty()) {
      parts.add(CodeTransform.ofStateful(() -> new Accesses(plan.changes(), place)));
    }
    if (plan.hasMonitors() || isAtomic || isSynchronized) {
      MonitorStructure structure = new MonitorStructure(code, place); // refuses subroutines
      if (plan.hasMonitors()) {
        parts.add(CodeTransform.ofStateful(() -> new MonitorBlocks(structure)));
      }
    }
    if (plan.hasHandlers() && !plan.hasMonitors()) {
      int handlers = code.exceptionHandlers().size();
      parts.add(CodeTransform.ofStateful(() -> new OuterHandlers(handlers)));
    }
    if (plan.isTask()) {
      boolean isInSection = isAtomic || isSynchronized;
      parts.add(CodeTransform.ofStateful(() -> tasks.body(method, isInSection)));
    }
    if (isAtomic) {
      parts.add(CodeTransform.ofStateful(SectionBody::withoutLock));
    }
    if (isSynchronized) {
      parts.add(synchronizedBody(method, code));
    }
    return parts.stream().reduce(CodeTransform::andThen);
  }

  private CodeTransform synchronizedBody(MethodModel method, CodeModel code) {
    if (!method.flags().has(AccessFlag.STATIC)) {
      boolean overwritesThis = overwritesThis(code);
      return CodeTransform.ofStateful(
          () -> SectionBody.ofInstance(locksItself(method), overwritesThis));
    }
    if (model.majorVersion() < LDC_CLASS_VERSION) {
      throw new WeavingException(
          "a static synchronized method in a class file older than Java 5: version=%d.%d"
              .formatted(model.majorVersion(), model.minorVersion()));
    }
    return CodeTransform.ofStateful(
        () -> SectionBody.ofClass(locksItself(method), model.thisClass().asSymbol()));
  }

  private static boolean overwritesThis(CodeModel code) {
    for (CodeElement element : code) {
      if (element instanceof StoreInstruction store && store.slot() == 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(AttributedElement element, String annotation) {
    return element
        .findAttribute(Attributes.runtimeInvisibleAnnotations())
        .filter(
            found ->
                found.annotations().stream()
                    .anyMatch(each -> each.className().equalsString(annotation)))
        .isPresent();
  }
}
