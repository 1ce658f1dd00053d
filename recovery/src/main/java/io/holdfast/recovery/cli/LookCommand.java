package io.holdfast.recovery.cli;

/// A command that prints nothing before it has seen all, and so can look again.
abstract class LookCommand extends FactsCommand {
  @Override
  final int attemptsInUse() {
    return 10;
  }
}
