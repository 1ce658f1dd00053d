/// What flush and fence do: the persistence domains, and Holdfast's only native calls.
///
/// {@link io.holdfast.core.persistence.PersistenceDomain} is what they have in common, {@link
/// io.holdfast.core.persistence.PageCache} the one of `PROCESS_CRASH`, which does nothing.
package io.holdfast.core.persistence;
