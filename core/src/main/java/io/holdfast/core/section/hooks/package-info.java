/// What delimiting locks and woven code call. The agent writes these names into class files.
///
/// {@link io.holdfast.core.section.hooks.SectionHooks} is for the locks of the front door; {@link
/// io.holdfast.core.section.hooks.MonitorHooks}, {@link io.holdfast.core.section.hooks.LockHooks},
/// {@link io.holdfast.core.section.hooks.ConditionHooks} and {@link
/// io.holdfast.core.section.hooks.StampedLockHooks} are for monitors and the JDK's locks; {@link
/// io.holdfast.core.section.hooks.EdgeHooks} is for what else orders threads, {@link
/// io.holdfast.core.section.hooks.ThreadHooks} for threads, {@link
/// io.holdfast.core.section.hooks.TaskHooks} for tasks. {@link
/// io.holdfast.core.section.hooks.HookClasses} initializes what they need.
package io.holdfast.core.section.hooks;
