package io.holdfast.jmh.atlas;

/// Another memory, to be overridden in part.
class ForwardingMemory extends ProgramMemory {
  private final ProgramMemory memory;

  ForwardingMemory(ProgramMemory memory) {
    this.memory = memory;
  }

  @Override
  public long root(int bytes) {
    return memory.root(bytes);
  }

  @Override
  public long read(long offset) {
    return memory.read(offset);
  }

  @Override
  public long readAcquire(long offset) {
    return memory.readAcquire(offset);
  }

  @Override
  public void write(long offset, long value) {
    memory.write(offset, value);
  }

  @Override
  public void writeNew(long offset, long value) {
    memory.writeNew(offset, value);
  }

  @Override
  public void copyNew(long from, long to, int bytes) {
    memory.copyNew(from, to, bytes);
  }

  @Override
  public long allocate(int bytes) {
    return memory.allocate(bytes);
  }

  @Override
  public void free(long block, int bytes) {
    memory.free(block, bytes);
  }

  @Override
  public void acquired(Object lock) {
    memory.acquired(lock);
  }

  @Override
  public void releasing(Object lock) {
    memory.releasing(lock);
  }

  @Override
  public void close() {
    memory.close();
  }
}
