package io.holdfast.core.guarantees;

import io.holdfast.core.section.Stripes;
import io.holdfast.testkit.Interleavings.Step;
import java.util.List;

/// The words that programs are made of. Each is one turn of a thread.
final class Steps {
  private static final List<Object> LOCKS = Stripes.distinct(7, Object::new, List::of);
  private static final List<String> NAMES = List.of("a", "b", "c", "x", "y", "z", "t");

  /// As a rule the outermost locks of the threads A, B and C.
  static final Object OF_A = LOCKS.get(0), OF_B = LOCKS.get(1), OF_C = LOCKS.get(2);

  /// As a rule the locks that threads share.
  static final Object X = LOCKS.get(3), Y = LOCKS.get(4), Z = LOCKS.get(5);

  /// As a rule the lock of transient data.
  static final Object T = LOCKS.get(6);

  private static String name(Object lock) {
    return NAMES.get(LOCKS.indexOf(lock));
  }

  static Step<Scene> lock(Object lock) {
    return Step.acquiring("lock " + name(lock), lock, scene -> scene.acquire(lock));
  }

  static Step<Scene> unlock(Object lock) {
    return Step.releasing("unlock " + name(lock), lock, scene -> scene.release(lock));
  }

  static Step<Scene> enter() {
    return Step.of("enter", Scene::enter);
  }

  static Step<Scene> exit() {
    return Step.of("exit", Scene::exit);
  }

  static Step<Scene> observe(Object key) {
    return Step.of("observe " + name(key), scene -> scene.observe(key));
  }

  static Step<Scene> store(int word, long value) {
    return Step.of("[%d] = %d".formatted(word, value), scene -> scene.write(word, value));
  }

  static Step<Scene> add(int word, long delta) {
    return Step.of(
        "[%d] += %d".formatted(word, delta), scene -> scene.write(word, scene.read(word) + delta));
  }

  /// Reads one word, and stores what it read in another.
  static Step<Scene> copy(int from, int to) {
    return Step.of("[%d] = [%d]".formatted(to, from), scene -> scene.write(to, scene.read(from)));
  }

  /// The same, if a word has a value.
  static Step<Scene> copyIf(int word, long value, int from, int to) {
    return Step.of(
        "if [%d] is %d: [%d] = [%d]".formatted(word, value, to, from),
        scene -> {
          if (scene.read(word) == value) {
            scene.write(to, scene.read(from));
          }
        });
  }

  /// Keeps a word in a transient variable.
  static Step<Scene> load(String variable, int word) {
    return Step.of(
        "%s = [%d]".formatted(variable, word),
        scene -> scene.transients().put(variable, scene.read(word)));
  }

  /// Copies a transient variable, 0 if it has no value.
  static Step<Scene> assign(String to, String from) {
    return Step.of(
        "%s = %s".formatted(to, from),
        scene -> scene.transients().put(to, scene.transients().getOrDefault(from, 0L)));
  }

  /// Stores a transient variable in a word, 0 if it has no value.
  static Step<Scene> store(int word, String variable) {
    return Step.of(
        "[%d] = %s".formatted(word, variable),
        scene -> scene.write(word, scene.transients().getOrDefault(variable, 0L)));
  }

  /// Allocates a block and keeps it in a transient variable.
  static Step<Scene> allocate(String variable) {
    return Step.of(
        variable + " = malloc", scene -> scene.transients().put(variable, scene.allocate()));
  }

  /// Stores a number in the block of a transient variable.
  static Step<Scene> fill(String variable, long number) {
    return Step.of(
        "*%s = %d".formatted(variable, number),
        scene -> scene.fill(scene.transients().get(variable), number));
  }

  private Steps() {}
}
