package io.holdfast;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Keeps the locks that a method takes out of sections, or those that all methods of a class take:
/// for a lock that is held too long to be a transaction, as around a server's main loop.
///
/// It concerns locks, monitors and waits in the method's own code, not in what it calls, nor in
/// lambdas that stand in it: a `synchronized` method called from there is a section as always. Take
/// and release a lock in methods that agree about this. Under such a lock, a section that is not
/// durable yet can be seen by others who then don't depend on it; what follows is up to who wrote
/// the annotation.
///
/// Edges are woven all the same: volatile fields, atomics, queues.
///
/// The agent acts upon it, in classes that are in its scope; without the agent it does nothing.
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE})
public @interface NotFailureAtomic {}
