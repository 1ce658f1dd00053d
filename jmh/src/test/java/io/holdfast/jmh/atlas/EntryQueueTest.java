package io.holdfast.jmh.atlas;

class EntryQueueTest extends OneLockContract<EntryQueue> {
  @Override
  EntryQueue over(ProgramMemory memory) {
    return new EntryQueue(memory);
  }
}
