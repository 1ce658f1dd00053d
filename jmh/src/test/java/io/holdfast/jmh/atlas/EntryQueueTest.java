package io.holdfast.jmh.atlas;

/// Shows EQUEUE-1.
class EntryQueueTest extends OneLockContract<EntryQueue> {
  @Override
  EntryQueue over(ProgramMemory memory) {
    return new EntryQueue(memory);
  }
}
