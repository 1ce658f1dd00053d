/// Proves a region sound, for an opening and for tools; a program needs none of this. {@link
/// io.holdfast.verification.OverlayMemory} lets a region be recovered in this process's memory,
/// {@link io.holdfast.verification.HeldRegion} opens one there, {@link
/// io.holdfast.verification.SoundnessCheck} looks at all of it, and tells of each {@link
/// io.holdfast.verification.Fault}.
package io.holdfast.verification;
