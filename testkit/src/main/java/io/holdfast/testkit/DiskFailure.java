package io.holdfast.testkit;

import io.holdfast.core.Durability;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.memory.ForwardingMemory;
import io.holdfast.core.memory.Medium;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.redo.Disks;
import io.holdfast.testkit.CrashExplorer.Check;
import io.holdfast.testkit.CrashExplorer.Opener;
import io.holdfast.testkit.CrashExplorer.StateReader;
import io.holdfast.testkit.Event.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The third failure: the same body over a region on a disk, with its log, whose power is cut in
/// the middle of a call, or whose process is killed.
///
/// - What a failure leaves is what {@link CutDisk} says, and after a kill all that was written,
///   with the streams' file. After a cut that file may be there too, of a run of the system that is
///   over.
/// - Within a step stores become durable when somebody waits for it, when a stream is half full, or
///   by and by. So at some stores of the body, drawn, a batch is written, and at some it is killed.
/// - A step has returned when what it did is durable: some stores wait for that by themselves
///   ({@link StoreOpener#acknowledges}); for any other one the step does.
/// - What the log leaves is an image that a crash of the process could have left (CUT-2). So the
///   opener is that for crashes of the process, and the checks are those that hold after one.
/// - An opening that was cut or killed and is repeated leads to the same state.
///
/// Some of the calls are drawn, and of each one image. A body's calls and images are too many for
/// all of them; the tests of the log alone look at all.
///
/// @param <T> the store under test
final class DiskFailure<T> {
  private static final String NAME = "s.hf";
  private static final int LOG_BYTES = 4 << 20;

  /// Of the images, each so many-th one has its opening crash as well.
  private static final int AGAIN_EVERY = 5;

  private static final int IMAGES_OF_OPENING = 2;

  /// Of a body's stores, about so many are where something becomes durable, or a kill may come.
  private final int stops;

  private final int imagesMax;
  private final Opener<T> opener;
  private final StateReader<T> reader;
  private final List<Check<T>> checks;
  private final boolean comparesSteps;
  private final boolean acknowledges;
  private final long seed;
  private final Random random;
  private int images;
  private int again;

  /// @param reader `null` if no state is read
  /// @param comparesSteps whether it is compared with those between steps
  /// @param acknowledges whether the store's operations return when they are durable
  DiskFailure(
      Opener<T> opener,
      StateReader<T> reader,
      List<Check<T>> checks,
      boolean comparesSteps,
      boolean acknowledges,
      boolean isThorough,
      long seed) {
    this.stops = isThorough ? 40 : 8;
    this.imagesMax = isThorough ? 40 : 2;
    this.opener = opener;
    this.reader = reader;
    this.checks = checks;
    this.comparesSteps = comparesSteps;
    this.acknowledges = acknowledges;
    this.seed = seed;
    this.random = new Random(seed);
  }

  /// What was explored.
  ///
  /// @param images that a failure of the body left
  /// @param again that a second failure left, in the opening after the first
  record Explored(int images, int again) {
    @Override
    public String toString() {
      return "images=%d, and %d of a second failure".formatted(images, again);
    }
  }

  /// The memory of an image, which is thrown away: nobody closes it in order.
  private static final class Left extends ForwardingMemory {
    Left(Memory bytes) {
      super(bytes);
    }

    @Override
    public Memory reopen() {
      throw new IllegalStateException("the image is thrown away");
    }
  }

  /// Explores.
  ///
  /// @param stores how many the body has, about
  /// @return `null` if the store is not a region, which alone has a log
  Explored explore(Script<T> script, int stores) {
    try {
      Path directory = Files.createTempDirectory(base(), "holdfast");
      try {
        Path body = Files.createDirectory(directory.resolve("body"));
        Path cuts = Files.createDirectory(directory.resolve("cuts"));
        return isCreated(body.resolve(NAME)) ? explore(script, stores, body, cuts) : null;
      } finally {
        CutFiles.delete(directory);
      }
    } catch (Exception e) {
      throw new AssertionError("on a disk: " + e, e);
    }
  }

  /// In memory if possible: it is the calls that are looked at, not the device.
  private static Path base() {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /// The store as it is made, and closed in order.
  private boolean isCreated(Path path) throws Exception {
    try (RegionFile file = RegionFile.open(path)) {
      T store = opener.open(file.memory());
      Script.closeQuietly(store);
    }
    try (RegionFile file = RegionFile.open(path)) {
      RegionHeader.read(file.memory());
      return true;
    } catch (RegionFormatException e) {
      return false;
    }
  }

  private Explored explore(Script<T> script, int stores, Path body, Path cuts) throws Exception {
    List<Object> model = new ArrayList<>();
    CallRecorder disk = record(script, body.resolve(NAME), Math.max(1, stores / stops), model);
    List<DiskCall> calls = disk.calls();
    PowerCuts failures = new PowerCuts(calls);
    failures.at(
        chosen(calls),
        cuts,
        random,
        (image, told, call) -> {
          CrashPoint point = disk.point(told.get(0));
          try {
            check(image, cuts, point, comparesSteps ? model : null);
          } catch (Exception | AssertionError e) {
            throw new AssertionError(
                "%s is not survived on a disk: %s, in %s, seed=%d: %s"
                    .formatted(
                        call.kind() == DiskCall.Kind.KILLED ? "a kill" : "a loss of power",
                        point,
                        call,
                        seed,
                        e.getMessage()),
                e);
          }
        });
    return new Explored(images, again);
  }

  /// Calls between the body's beginning and its end: checks need not hold of a store that closes.
  private int[] chosen(List<DiskCall> calls) {
    List<Integer> points = new ArrayList<>();
    int number = 0;
    for (DiskCall call : calls) {
      if (call.kind() == DiskCall.Kind.TOLD) {
        points.add(number);
      }
      number += call.isCut() ? 1 : 0;
    }
    int end = Math.min(points.getLast() + 1, number); // the next call: all steps have returned
    return random.ints(imagesMax, points.getFirst(), end).sorted().toArray();
  }

  /// Runs the body, and closes the store.
  ///
  /// @param model gets the states between steps
  private CallRecorder record(Script<T> script, Path path, long every, List<Object> model)
      throws Exception {
    CallRecorder disk = new CallRecorder(path.getParent(), NAME);
    try (RegionFile file = RegionFile.openOn(path, on(disk))) {
      StoppingMemory memory = new StoppingMemory(file.memory(), disk, every);
      Body body = new Body(disk, memory, acknowledges);
      script.run(
          memory,
          body,
          body::begin,
          reader == null ? null : (_, store) -> model.add(state(store, model)),
          body::end);
    }
    return disk;
  }

  /// Of a store that the body has closed, what it had.
  private Object state(T store, List<Object> before) throws Exception {
    try {
      return reader.read(store);
    } catch (StoreClosedException e) {
      return before.getLast();
    }
  }

  private static Medium on(Disk disk) {
    return Disks.logged(disk, LOG_BYTES, Durability.POWER_FAILURE);
  }

  /// How far a body has come.
  private static final class Body implements Script.Marks {
    private final CallRecorder disk;
    private final StoppingMemory memory;
    private final boolean acknowledges;
    private int acknowledged;

    Body(CallRecorder disk, StoppingMemory memory, boolean acknowledges) {
      this.disk = disk;
      this.memory = memory;
      this.acknowledges = acknowledges;
    }

    void begin() {
      memory.awaitDurable(); // what is given
      disk.at(new CrashPoint(0, null));
      memory.stop(true);
    }

    @Override
    public void mark(Kind kind, String what) {
      if (kind == Kind.STEP_BEGINS) {
        disk.at(new CrashPoint(acknowledged, what));
      } else {
        if (!acknowledges) {
          memory.awaitDurable();
        }
        disk.at(new CrashPoint(++acknowledged, null));
      }
    }

    void end() {
      memory.stop(false);
    }
  }

  /// Opens an image, and at some of them crashes that.
  private void check(Path image, Path cuts, CrashPoint point, List<Object> model) throws Exception {
    if (images++ % AGAIN_EVERY != 0) {
      open(image, Disk.local(), point, model, () -> {});
      return;
    }
    CallRecorder disk = new CallRecorder(image, NAME);
    List<DiskCall> calls = new ArrayList<>();
    Object expected = open(image, disk, point, model, () -> calls.addAll(disk.calls()));
    PowerCuts failures = new PowerCuts(calls);
    failures.at(
        random.ints(IMAGES_OF_OPENING, 0, failures.calls()).sorted().toArray(),
        cuts,
        random,
        (left, _, _) -> {
          again++;
          Object found = open(left, Disk.local(), point, model, () -> {});
          AssertionError differs = Search.compare(expected, found);
          if (differs != null) {
            throw differs;
          }
        });
  }

  /// @param opened called when it is open
  /// @return its state
  private Object open(Path image, Disk disk, CrashPoint point, List<Object> model, Runnable opened)
      throws Exception {
    try (RegionFile file = RegionFile.openOn(image.resolve(NAME), on(disk))) {
      T store = opener.open(new Left(file.memory()));
      try {
        opened.run();
        Object state = reader == null ? null : reader.read(store);
        if (reader != null) {
          Search.compareWithModel(model, state, point);
        }
        for (Check<T> check : checks) {
          check.check(store, point);
        }
        return state;
      } finally {
        Script.closeQuietly(store);
      }
    }
  }
}
