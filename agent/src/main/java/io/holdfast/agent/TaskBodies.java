package io.holdfast.agent;

import io.holdfast.agent.KnownClasses.Answer;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The methods of a class that an executor, a pool or a publisher may run: those of the interfaces
/// that tasks have, and what lambdas and method references of such a type call in the class itself.
/// In a class that names `CompletableFuture` or makes a parallel stream these are lambdas of all
/// types of `java.util.function`.
///
/// Confined to the weaving of one class.
final class TaskBodies {
  private static final String METAFACTORY = "java/lang/invoke/LambdaMetafactory";
  private static final String CONCURRENT = "java/util/concurrent/";

  private static final Set<String> STAGES =
      Set.of(CONCURRENT + "CompletableFuture", CONCURRENT + "CompletionStage");

  /// Methods that make a stream parallel.
  private static final Set<String> PARALLEL = Set.of("parallel", "parallelStream");

  /// Types that have the method.
  private static final Map<String, List<String>> METHODS =
      Map.of(
          "run()V",
          List.of("java/lang/Runnable"),
          "call()Ljava/lang/Object;",
          List.of(CONCURRENT + "Callable"),
          "get()Ljava/lang/Object;",
          List.of("java/util/function/Supplier"),
          "compute()Ljava/lang/Object;",
          List.of(CONCURRENT + "RecursiveTask"),
          "compute()V",
          List.of(CONCURRENT + "RecursiveAction", CONCURRENT + "CountedCompleter"),
          "onNext(Ljava/lang/Object;)V",
          List.of(CONCURRENT + "Flow$Subscriber"));

  /// How descriptors of calls that make a lambda end.
  private static final List<String> LAMBDAS =
      List.of(
          ")Ljava/lang/Runnable;",
          ")Ljava/util/concurrent/Callable;",
          ")Ljava/util/function/Supplier;");

  private final ClassDesc self;
  private final String name;
  private final KnownClasses classes;
  private final boolean looks;
  private final boolean hasStages;

  /// Names and descriptors.
  private final Set<String> lambdas = new HashSet<>();

  /// @param looks whether there are to be any
  TaskBodies(ClassModel model, KnownClasses classes, boolean looks) {
    this.self = model.thisClass().asSymbol();
    this.name = model.thisClass().asInternalName();
    this.classes = classes;
    this.looks = looks;
    this.hasStages = looks && namesStages(model);
    if (looks) {
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof InvokeDynamicEntry call) {
          look(call);
        }
      }
    }
  }

  private static boolean namesStages(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry type && STAGES.contains(type.asInternalName())
          || entry instanceof MemberRefEntry method
              && PARALLEL.contains(method.name().stringValue())) {
        return true;
      }
    }
    return false;
  }

  private void look(InvokeDynamicEntry call) {
    if (isTask(call.type().stringValue())
        && call.bootstrap().bootstrapMethod().reference().owner().name().equalsString(METAFACTORY)
        && call.bootstrap().arguments().get(1) instanceof MethodHandleEntry handle
        && handle.reference() instanceof MemberRefEntry body
        && body.owner().name().equalsString(name)
        && !body.name().equalsString(ConstantDescs.INIT_NAME)) {
      lambdas.add(body.name().stringValue() + body.type().stringValue());
    }
  }

  private boolean isTask(String type) {
    return LAMBDAS.stream().anyMatch(type::endsWith)
        || hasStages && type.contains(")Ljava/util/function/");
  }

  boolean contains(MethodModel method) {
    return looks && (isLambda(method) || isTaskMethod(method));
  }

  private boolean isLambda(MethodModel method) {
    return lambdas.contains(method.methodName().stringValue() + method.methodType().stringValue());
  }

  private boolean isTaskMethod(MethodModel method) {
    List<String> types =
        METHODS.get(method.methodName().stringValue() + method.methodType().stringValue());
    return types != null
        && !method.flags().has(AccessFlag.STATIC)
        && types.stream().anyMatch(type -> classes.isBelow(name, type) == Answer.YES);
  }

  /// What weaves one of them.
  ///
  /// @param isInSection whether the whole method is in a section
  TaskBody body(MethodModel method, boolean isInSection) {
    return isLambda(method)
        ? new TaskBody(code -> Hooks.lambdaBegins(code, self, hasStages), isInSection)
        : new TaskBody(
            code -> {
              code.aload(0);
              Hooks.taskBegins(code);
            },
            isInSection);
  }
}
