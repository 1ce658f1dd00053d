/// Bytecode weaving with the JDK's Class-File API: what holds a lock becomes a failure-atomic
/// section, without a change to its source, and what threads hand to each other an edge between
/// sections.
///
/// In reading order:
///
/// - {@link io.holdfast.agent.HoldfastAgent} starts with the JVM;
/// - {@link io.holdfast.agent.AgentOptions}, {@link io.holdfast.agent.ClassPattern} and {@link
///   io.holdfast.agent.Scope} say which classes are meant;
/// - {@link io.holdfast.agent.SectionTransformer} is what the JVM calls for each class that it
///   loads;
/// - {@link io.holdfast.agent.Weaver} makes the new class file. What there is to do in a method is
///   found by {@link io.holdfast.agent.MethodPlan}, with {@link io.holdfast.agent.CallTable}, the
///   methods that are woven where they are called, and {@link io.holdfast.agent.KnownClasses}; it
///   is done by {@link io.holdfast.agent.Accesses} for calls, fields and method references, {@link
///   io.holdfast.agent.MonitorBlocks} for blocks, by what {@link
///   io.holdfast.agent.MonitorStructure} knows of them, {@link io.holdfast.agent.SectionBody} for
///   methods, {@link io.holdfast.agent.TaskBody} for what {@link io.holdfast.agent.TaskBodies} says
///   that executors may run;
/// - {@link io.holdfast.agent.WovenMethod} says what was found;
/// - {@link io.holdfast.agent.HookAccess} lets the class see the hooks, and {@link
///   io.holdfast.agent.HookBridge} brings them to loaders that find them nowhere;
/// - {@link io.holdfast.agent.WovenMark} says that a class is woven;
/// - {@link io.holdfast.agent.Refusal} takes the class's place when one of these fails;
/// - {@link io.holdfast.agent.AgentCommand} is the jar as a program: {@link
///   io.holdfast.agent.WeaveCommand} weaves at build time, {@link io.holdfast.agent.ExplainCommand}
///   says what would be woven, both in the words of {@link io.holdfast.agent.Explanation} and
///   {@link io.holdfast.agent.Advice}.
///
/// Words: a class is *in scope* if it is to be woven; a *hook* is a static method of core's, a
/// *twin* one that takes the place of a call; the hooks of a monitor are *acquired*, after
/// `monitorenter`, and *releasing*, before `monitorexit`. The agent names the hooks and never links
/// to them, so that its jar stands alone and core comes from the application's class path.
///
/// Invariants, which the tests name:
///
/// - **WEAVE-1** every lock that a class in scope acquires is reported after it is acquired, before
///   it is released and after that, once each, on every way out;
/// - **WEAVE-2** a class in scope that can't be woven does not run;
/// - **WEAVE-3** a hook that throws all the same (a stack overflow) never loops, never leaves a
///   monitor locked, and never lets two reports stand for one monitor;
/// - **WEAVE-4** woven methods keep the structured locking that HotSpot's compilers ask for:
///   wherever a monitor is held and something may throw, a handler releases it. A method that
///   breaks this runs in the interpreter for ever;
/// - **WEAVE-5** while a thread waits for a monitor, nothing of the woven code is on its stack:
///   virtual threads may be unmounted there;
/// - **WEAVE-6** what the report of a release throws comes to no handler that would release the
///   monitor once more. Test: ThrowingHooksTest.released.
///
/// Out of reach: hidden classes, which the JVM shows to no agent; a class loader's own classes, if
/// they are first used while the JVM asks that very loader for something on the agent's behalf;
/// monitors taken by native code. The method frames that are active when a class is retransformed
/// end as they began, unwoven. `docs/agent.md` lists what is not woven, and what that means.
package io.holdfast.agent;
