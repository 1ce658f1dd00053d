package io.holdfast.linearizability;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.linearizability.History.Operation;
import io.holdfast.testkit.HoldfastOpener;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;

/// A store in which threads take turns, of which the history is noted.
final class Scene implements AutoCloseable {
  private final RecordingMemory memory;
  private final HookedMemory hooked;
  private final Holdfast store;
  private final Content content;

  private Scene(RecordingMemory memory, Durability durability) {
    this.memory = memory;
    this.hooked = new HookedMemory(memory);
    this.store = new HoldfastOpener().open(hooked, durability);
    this.content = Content.of(store);
  }

  static Scene open(Memory memory, Durability durability) {
    return new Scene((RecordingMemory) memory, durability);
  }

  Content content() {
    return content;
  }

  /// Runs programs, each in a thread.
  ///
  /// @param programs operations, numbered one after the other
  /// @param changes after how many stores the turn changes
  /// @return how many stores there were
  int run(List<List<Operation>> programs, List<Integer> changes) {
    Turns turns = new Turns(memory, changes);
    hooked.beforeEachStore(turns::beforeStore);
    hooked.beforeEachRead(turns::await);
    List<Runnable> threads = new ArrayList<>();
    int number = 0;
    for (List<Operation> program : programs) {
      int first = number;
      threads.add(() -> perform(program, first, turns));
      number += program.size();
    }
    turns.run(threads);
    hooked.beforeEachStore(() -> {});
    hooked.beforeEachRead(() -> {});
    return turns.stores();
  }

  private void perform(List<Operation> program, int first, Turns turns) {
    for (int i = 0; i < program.size(); i++) {
      turns.await();
      memory.note(History.begins(first + i));
      String result = program.get(i).result(content);
      turns.await();
      memory.note(History.returns(first + i, result));
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
