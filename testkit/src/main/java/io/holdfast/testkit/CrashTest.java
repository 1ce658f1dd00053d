package io.holdfast.testkit;

import io.holdfast.core.Durability;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that survives every crash: its method says what is done to a store and what must hold,
/// and then every image that a crash can leave is opened and checked.
///
/// ```java
/// @CrashTest
/// void anOrderIsMovedOrNot(CrashExplorer<Holdfast> explorer) {
///   explorer
///       .given(store -> orders(store).add("one"))
///       .step("move", store -> store.atomically(() -> bills(store).add(orders(store).remove())))
///       .state(store -> List.of(List.copyOf(orders(store)), List.copyOf(bills(store))));
/// }
/// ```
///
/// The method has one parameter, a {@link CrashExplorer} of the store's type; it may have the
/// {@link Durability} as another one. It is called once for each failure to survive, and each of
/// the opener's variants ({@link StoreOpener#variants}). What it has set up is explored when it
/// returns, unless it explored by itself.
///
/// `POWER_FAILURE` is that of persistent memory. The call for `PROCESS_CRASH` goes on with a store
/// on a disk, whose log makes of a loss of power a crash of the process that came earlier: so
/// whatever must hold after the one must hold after the other. Not on a disk are: what begins with
/// an empty file, since a file on a disk is created before its log; what is no region, since
/// regions alone have logs, as a log over bare memory; and what needs a memory of its own kind, as
/// one that is full ({@link StoreOpener#opensOnDisks}, {@link CrashExplorer#withoutDisk}).
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(CrashTestExtension.class)
public @interface CrashTest {
  /// The failures to survive, one after the other.
  Durability[] value() default {Durability.PROCESS_CRASH, Durability.POWER_FAILURE};

  /// What opens the store; the default is the {@link StoreOpener} that a service is registered for
  /// with the store's type.
  Class<? extends StoreOpener<?>> opener() default Registered.class;

  /// Stands for the registered opener.
  interface Registered extends StoreOpener<Void> {}
}
