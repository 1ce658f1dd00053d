/// One file with all its parts: {@link io.holdfast.core.region.Region} opens, recovers and closes
/// it.
package io.holdfast.core.region;
