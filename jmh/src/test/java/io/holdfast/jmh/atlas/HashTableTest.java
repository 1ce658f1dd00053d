package io.holdfast.jmh.atlas;

class HashTableTest extends OneLockContract<HashTable> {
  @Override
  HashTable over(ProgramMemory memory) {
    return new HashTable(memory);
  }
}
