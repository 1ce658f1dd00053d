package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.core.Durability;
import io.holdfast.core.fixture.RegionOpener;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What every program keeps to: it does the same in every mode, and in a region its invariant holds
/// after a crash, with all that was acknowledged and nothing by halves.
abstract class ProgramContract<P extends Program> {
  /// Of a run.
  static final int OPERATIONS = 600;

  /// The record of the region's root, which holds its name.
  private static final int BLOCKS_OF_ROOT = 1;

  @TempDir private Path directory;

  /// A small one.
  abstract P over(ProgramMemory memory);

  /// What one thread after the other does to it.
  abstract List<Consumer<P>> operations();

  /// What is in it after some runs of {@link #OPERATIONS}, cleared between them.
  abstract void checkAfter(int runs, P program);

  final ProgramMemory memory(ProgramMode mode) {
    try {
      return mode.open(directory.resolve(mode.toString()));
    } catch (UnsupportedOperationException e) {
      return abort(e.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource
  final void doesTheSameInEveryMode(ProgramMode mode) {
    try (P alone = over(new PlainMemory(directory.resolve("alone")));
        P program = over(memory(mode))) {
      assertThat(program.content()).isEqualTo(alone.content());
      for (Consumer<P> operation : operations()) {
        operation.accept(alone);
        operation.accept(program);
        assertThat(program.content()).isEqualTo(alone.content());
        assertThat(program.blocks()).isEqualTo(alone.blocks());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  final void runsOfAllThreadsKeepTheInvariant(ProgramMode mode) {
    try (P program = over(memory(mode));
        Crew crew = new Crew(program)) {
      for (int runs = 1; runs <= 3; runs++) {
        program.clear();
        crew.run(OPERATIONS);
        checkAfter(runs, program);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  final void goesOnWhereItWas(ProgramMode mode) {
    try (P alone = over(new PlainMemory(directory.resolve("alone")))) {
      for (Consumer<P> operation : operations()) {
        try (P program = over(memory(mode))) {
          assertThat(program.content()).isEqualTo(alone.content());
          operation.accept(program);
        }
        operation.accept(alone);
      }
    }
  }

  private record Opened<P extends Program>(Region region, P program) implements AutoCloseable {
    @Override
    public void close() {
      program.close();
    }

    /// No block is lost, none is in use that should be free.
    void checkBlocks() {
      assertThat(region.heap().validator().blocks()).hasSize(BLOCKS_OF_ROOT + program.blocks());
    }
  }

  private Opened<P> open(Memory memory, Durability durability) {
    Region region = new RegionOpener().open(memory, durability);
    return new Opened<>(region, over(inRegion(region)));
  }

  ProgramMemory inRegion(Region region) {
    return SectionMemory.of(region);
  }

  private CrashExplorer<Opened<P>> explorer(Durability durability) {
    return CrashExplorer.of(getClass().getSimpleName(), (Memory memory) -> open(memory, durability))
        .surviving(durability)
        .state(opened -> opened.program().content())
        .check(
            (opened, _) -> {
              opened.checkBlocks();
              operations().getFirst().accept(opened.program());
              opened.program().content();
              opened.checkBlocks();
            });
  }

  @ParameterizedTest
  @EnumSource
  final void creationIsCompletedAfterACrash(Durability durability) {
    explorer(durability).fromAnEmptyFile().crashesOfRecovery(0).explore();
  }

  @ParameterizedTest
  @EnumSource
  final void theInvariantHoldsAfterACrash(Durability durability) {
    CrashExplorer<Opened<P>> explorer = explorer(durability);
    List<Consumer<P>> operations = operations();
    for (int i = 0; i < operations.size(); i++) {
      Consumer<P> operation = operations.get(i);
      explorer.step(
          "thread " + i % 2, "operation " + i, opened -> operation.accept(opened.program()));
    }
    explorer.explore();
  }
}
