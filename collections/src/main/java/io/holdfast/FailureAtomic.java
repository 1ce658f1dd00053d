package io.holdfast;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Makes a method a failure-atomic section, or a part of the section that its caller is in, without
/// a lock: what it changes in a store survives a crash whole or not at all.
///
/// For code that needs no lock, because only one thread runs it or because what it uses is safe for
/// many threads. It gives atomicity, not isolation, as {@link Holdfast#atomically(Runnable)} does.
///
/// The agent acts upon it, in classes that are in its scope; without the agent it does nothing. A
/// method without a body, abstract or native, can't be a section: the agent refuses its class. It
/// is not inherited: what overrides the method has its own.
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface FailureAtomic {}
