package io.holdfast.jmh.atlas;

/// Shows HASH-1.
class HashTableTest extends OneLockContract<HashTable> {
  @Override
  HashTable over(ProgramMemory memory) {
    return new HashTable(memory);
  }
}
