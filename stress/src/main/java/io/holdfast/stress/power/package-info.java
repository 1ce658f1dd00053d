/// Cuts of the power under real processes, of stores on disks: what a process has its disk do is
/// recorded, and the power is cut in that.
package io.holdfast.stress.power;
