/// The command line. {@link io.holdfast.recovery.cli.HoldfastCommand} is its beginning; a command
/// extends `RegionCommand`, asks the library in {@link io.holdfast.recovery}, makes `Facts` of the
/// answer, which an `Output` prints, and returns an {@link io.holdfast.recovery.cli.ExitCode}. What
/// it can't do it refuses by an exception, which `Refusals` shows with the next command to type.
package io.holdfast.recovery.cli;
