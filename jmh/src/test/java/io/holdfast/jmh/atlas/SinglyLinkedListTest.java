package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/// Shows SLL-1.
class SinglyLinkedListTest extends ProgramContract<SinglyLinkedList> {
  @Override
  SinglyLinkedList over(ProgramMemory memory) {
    return new SinglyLinkedList(memory);
  }

  @Override
  List<Consumer<SinglyLinkedList>> operations() {
    return List.of(
        list -> list.insert(1),
        list -> list.insert(2),
        list -> list.insert(3),
        list -> list.remove(2),
        list -> list.insert(4),
        SinglyLinkedList::clear);
  }

  @Override
  void checkAfter(int runs, SinglyLinkedList list) {
    assertThat(list.content())
        .containsExactlyInAnyOrder(LongStream.range(0, OPERATIONS).boxed().toArray(Long[]::new));
  }
}
