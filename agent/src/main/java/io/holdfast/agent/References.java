package io.holdfast.agent;

import static java.lang.constant.DirectMethodHandleDesc.Kind.INTERFACE_VIRTUAL;
import static java.lang.constant.DirectMethodHandleDesc.Kind.STATIC;
import static java.lang.constant.DirectMethodHandleDesc.Kind.VIRTUAL;

import io.holdfast.agent.CallTable.Found;
import io.holdfast.agent.KnownClasses.Answer;
import io.holdfast.agent.Treatment.Edge;
import io.holdfast.agent.Treatment.Twin;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Weaves method references, `lock::unlock` and `counter::incrementAndGet`: the method that the
/// lambda calls is replaced by core's twin of it, or, for an edge, by a bridge, a private method of
/// the woven class that makes the call.
///
/// Groovy's dynamic calls of a lock are seen, and not woven: which method they call is known at run
/// time alone.
///
/// A class that was loaded before the agent can get no new method; the JVM refuses it if it needs a
/// bridge.
///
/// Confined to the weaving of one class.
final class References {
  /// Has the bootstrap method of Groovy's dynamic calls, whose first argument is the called name.
  private static final String GROOVY = "org/codehaus/groovy/vmplugin/v8/IndyInterface";

  private static final String METAFACTORY = "java/lang/invoke/LambdaMetafactory";

  /// Where a bootstrap method of LambdaMetafactory has the method.
  private static final int METHOD = 1;

  /// Where altMetafactory has its flags.
  private static final int FLAGS = 3;

  private final ClassModel model;
  private final KnownClasses classes;
  private final boolean mayAdd;
  private final List<Bridge> bridges = new ArrayList<>();

  private record Bridge(
      String name, MethodTypeDesc type, DirectMethodHandleDesc method, Edge edge) {}

  /// What was found.
  ///
  /// @param change `null` if it is left as it is
  record Reference(Construct construct, String what, Change change, boolean releases) {
    /// To something that is not woven.
    Reference(Construct construct, String what) {
      this(construct, what, null, false);
    }
  }

  /// @param mayAdd whether the class can get new methods
  References(ClassModel model, KnownClasses classes, boolean mayAdd) {
    this.mayAdd = mayAdd;
    this.model = model;
    this.classes = classes;
  }

  Optional<Reference> look(InvokeDynamicInstruction call, boolean leavesLocksOut) {
    String bootstrap = internalName(call.bootstrapMethod().owner());
    for (ConstantDesc argument : call.bootstrapArgs()) {
      if (argument instanceof String name && isDynamic(bootstrap, name)) {
        return notWoven(
            "a dynamic call of Groovy's, which @CompileStatic makes a plain one: " + name);
      }
      if (argument instanceof DirectMethodHandleDesc method && isCall(method)) {
        Found found = find(method);
        String what = internalName(method.owner()).replace('/', '.') + "::" + method.methodName();
        if (found.answer() == Answer.UNKNOWN) {
          return notWoven("its class is not to be found: " + what);
        }
        if (found.treatment() instanceof Edge edge
            && edge.asks()
            && !(mayAdd && isLambda(call, method) && !isSerializable(call))) {
          return Optional.empty(); // as if it were made where nothing is woven
        }
        if (found.treatment() != null) {
          return Optional.of(treat(call, method, found.treatment(), what, leavesLocksOut));
        }
      }
    }
    return Optional.empty();
  }

  /// Whether it calls a method of a lock's name in Groovy's way.
  ///
  /// @param bootstrap the class of its bootstrap method
  static boolean isDynamic(String bootstrap, String name) {
    return bootstrap.equals(GROOVY) && MethodPlan.OF_LOCK.contains(name);
  }

  private static boolean isCall(DirectMethodHandleDesc method) {
    return method.kind() == VIRTUAL
        || method.kind() == INTERFACE_VIRTUAL
        || method.kind() == STATIC;
  }

  private Found find(DirectMethodHandleDesc method) {
    String owner = internalName(method.owner());
    String name = method.methodName();
    String descriptor = method.lookupDescriptor();
    return method.kind() == STATIC
        ? CallTable.findStatic(owner, name, descriptor, classes)
        : CallTable.find(owner, name, descriptor, classes);
  }

  private static Optional<Reference> notWoven(String what) {
    return Optional.of(new Reference(Construct.NOT_WOVEN, what));
  }

  private Reference treat(
      InvokeDynamicInstruction call,
      DirectMethodHandleDesc method,
      Treatment treatment,
      String what,
      boolean leavesLocksOut) {
    if (leavesLocksOut && treatment.isOfLock()) {
      return new Reference(Construct.LEFT_OUT, what);
    }
    DirectMethodHandleDesc bootstrap = call.bootstrapMethod();
    if (!isLambda(call, method)) {
      return new Reference(Construct.NOT_WOVEN, "a reference that is no lambda: " + what);
    }
    if (isSerializable(call)) {
      return new Reference(Construct.NOT_WOVEN, "a serializable reference: " + what);
    }
    DirectMethodHandleDesc replacement =
        switch (treatment) {
          case Twin twin ->
              MethodHandleDesc.ofMethod(STATIC, twin.hooks(), twin.name(), twin.type());
          case Edge edge -> bridge(method, edge);
        };
    List<ConstantDesc> arguments = new ArrayList<>(call.bootstrapArgs());
    arguments.set(METHOD, replacement);
    MethodTypeDesc type = call.typeSymbol();
    if (type.parameterCount() > 0) { // a bound receiver, whose type must be the method's
      type = type.changeParameterType(0, replacement.invocationType().parameterType(0));
    }
    DynamicCallSiteDesc woven =
        DynamicCallSiteDesc.of(bootstrap, call.name().stringValue(), type)
            .withArgs(arguments.toArray(ConstantDesc[]::new));
    return new Reference(
        treatment.construct(), what, (code, _) -> code.invokedynamic(woven), treatment.releases());
  }

  private static boolean isLambda(InvokeDynamicInstruction call, DirectMethodHandleDesc method) {
    return internalName(call.bootstrapMethod().owner()).equals(METAFACTORY)
        && method.equals(call.bootstrapArgs().get(METHOD));
  }

  private static boolean isSerializable(InvokeDynamicInstruction call) {
    return call.bootstrapMethod().methodName().equals("altMetafactory")
        && call.bootstrapArgs().get(FLAGS) instanceof Integer flags
        && (flags & 1) != 0; // LambdaMetafactory.FLAG_SERIALIZABLE
  }

  private DirectMethodHandleDesc bridge(DirectMethodHandleDesc method, Edge edge) {
    String name = "holdfast$" + bridges.size() + '$' + method.methodName();
    MethodTypeDesc type = method.invocationType();
    bridges.add(new Bridge(name, type, method, edge));
    boolean inInterface = model.flags().has(AccessFlag.INTERFACE);
    return MethodHandleDesc.ofMethod(
        inInterface ? DirectMethodHandleDesc.Kind.INTERFACE_STATIC : STATIC,
        model.thisClass().asSymbol(),
        name,
        type);
  }

  /// Adds the bridges to the class.
  void writeBridges(ClassBuilder builder) {
    for (Bridge bridge : bridges) {
      builder.withMethodBody(
          bridge.name(),
          bridge.type(),
          ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
          code -> write(code, bridge));
    }
  }

  private static void write(CodeBuilder code, Bridge bridge) {
    MethodTypeDesc type = bridge.type();
    for (int i = 0; i < type.parameterCount(); i++) {
      code.loadLocal(TypeKind.from(type.parameterType(i)).asLoadable(), code.parameterSlot(i));
    }
    Change.edge(called(code.constantPool(), bridge.method()), bridge.edge(), false)
        .weave(code, new Scratch());
    code.return_(TypeKind.from(type.returnType()).asLoadable());
  }

  private static InvokeInstruction called(ConstantPoolBuilder pool, DirectMethodHandleDesc method) {
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(method.lookupDescriptor());
    return method.kind() == INTERFACE_VIRTUAL
        ? InvokeInstruction.of(
            Opcode.INVOKEINTERFACE,
            pool.interfaceMethodRefEntry(method.owner(), method.methodName(), type))
        : InvokeInstruction.of(
            Opcode.INVOKEVIRTUAL, pool.methodRefEntry(method.owner(), method.methodName(), type));
  }

  private static String internalName(ClassDesc type) {
    String descriptor = type.descriptorString();
    return type.isArray() ? descriptor : descriptor.substring(1, descriptor.length() - 1);
  }
}
