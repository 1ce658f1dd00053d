package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.RegionFormatException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.fixture.RecordedDisk;
import io.holdfast.core.redo.ToldLog.Told;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Opens every image that a loss of power could leave of a log, compares, and uses it on: with
/// another crash in the recovery and in the appends behind it.
///
/// Shows LOG-W1 to LOG-W4, BATCH-W1, CREATE-1, DISK-1, DISK-2 and DISK-3.
class BatchLogCrashTest {
  private static final int RING = 16 * Blocks.BYTES;

  /// All subsets of a block's sectors.
  private static final int ALL = 256;

  /// Of the images of a crash, every so many one is crashed again.
  private static final int AGAIN_EVERY = 7;

  private static final int SOME = 12;

  private record Point(RecordedDisk disk, Told told) {}

  private long images;
  private long seed;

  @AfterEach
  void tell(TestInfo test) {
    System.out.printf("%s: %d images%n", test.getDisplayName(), images);
    assertThat(images).isGreaterThan(40);
  }

  private void explore(Consumer<ToldLog> script) {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    explore(disk, log, script);
  }

  private void explore(RecordedDisk disk, ToldLog log, Consumer<ToldLog> script) {
    List<Point> points = new ArrayList<>();
    disk.observe(state -> points.add(new Point(state, log.told())));
    script.accept(log);
    points.add(new Point(disk.copy(), log.told()));
    disk.observe(null);
    points.forEach(this::checkAll);
  }

  private void checkAll(Point point) {
    int[] n = new int[1];
    images +=
        point.disk.images(
            ALL,
            seed++,
            image -> {
              if (n[0]++ % AGAIN_EVERY == 0) {
                crashAgain(image, point.told);
              } else {
                useOn(ToldLog.open(image, point.told, seed));
              }
            });
  }

  private static void useOn(ToldLog log) {
    log.appendIfRoom(300);
    log.appendIfRoom(5000);
  }

  /// Crashes in the recovery, in the appends behind it, and in a START that moves.
  private void crashAgain(RecordedDisk image, Told told) {
    List<Point> points = new ArrayList<>();
    ToldLog[] log = new ToldLog[1];
    image.observe(state -> points.add(new Point(state, log[0] == null ? told : log[0].told())));
    log[0] = ToldLog.open(image, told, seed++);
    useOn(log[0]);
    log[0].moveStart(log[0].log().mark());
    log[0].appendIfRoom(100);
    points.add(new Point(image.copy(), log[0].told()));
    for (Point point : points) {
      images +=
          point.disk.images(SOME, seed++, each -> useOn(ToldLog.open(each, point.told, seed)));
    }
  }

  @Test
  void appendsOfAllLengths() {
    explore(
        log -> {
          for (int length : new int[] {0, 1, 100, 4032, 4033, 9000, 300}) {
            log.append(length);
          }
        });
  }

  /// LOG-W2, LOG-W3: three laps, with batches of which some do not fit before the end.
  @Test
  void lapsAreKeptApart() {
    explore(
        log -> {
          for (int i = 0; i < 24; i++) {
            Mark mark = log.log().mark();
            log.append(new int[] {100, 9000, 5000}[i % 3]);
            if (i % 2 == 1) {
              log.moveStart(mark);
            }
          }
        });
  }

  /// LOG-W2, LOG-W4: what is before START is overwritten at once.
  @Test
  void startMoves() {
    explore(
        log -> {
          for (int i = 0; i < 3; i++) {
            Mark mark = log.log().mark();
            while (log.appendIfRoom(7000)) {
              mark = i == 1 ? log.log().mark() : mark;
            }
            log.moveStart(mark);
            log.appendIfRoom(2000);
            log.moveStart(log.log().mark());
            log.append(14 * Blocks.BYTES);
          }
        });
  }

  @Test
  void theRingGrows() {
    byte[] former = formerLife(2 * RING);
    RecordedDisk disk = new RecordedDisk().stale(former);
    explore(
        disk,
        ToldLog.create(disk, RING),
        log -> {
          while (log.appendIfRoom(7000)) {
            // until it is full
          }
          assertThat(log.log().grow(RING + 8 * Blocks.BYTES)).isTrue();
          assertThat(log.appendIfRoom(7000)).isTrue();
          Mark mark = log.log().mark();
          log.append(20000);
          log.moveStart(mark);
          log.append(9000);
          assertThat(log.log().grow(RING + 9 * Blocks.BYTES)).isFalse();
        });
  }

  /// A log that was where another one is made, with batches of the same numbers.
  private static byte[] formerLife(int ringBytes) {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, ringBytes);
    while (log.appendIfRoom(7000)) {
      // until it is full
    }
    return disk.bytes(ToldLog.PATH);
  }

  /// CREATE-1: what a creation leaves is an empty log, or refused as none.
  @Test
  void createIsWholeOrRefused() {
    RecordedDisk disk = new RecordedDisk().stale(formerRing());
    List<RecordedDisk> points = new ArrayList<>();
    disk.observe(points::add);
    ToldLog created = ToldLog.create(disk, RING);
    Told empty = new Told(0, 0, 1, 1, Map.of());
    int[] opened = new int[1];
    for (RecordedDisk point : points) {
      images +=
          point.images(
              ALL,
              seed++,
              image -> {
                if (image.exists(ToldLog.PATH) && !isRefused(image)) {
                  opened[0]++;
                  useOn(ToldLog.open(image, empty, seed));
                } else {
                  if (image.exists(ToldLog.PATH)) {
                    image.forget(ToldLog.PATH);
                  }
                  useOn(ToldLog.create(image, RING));
                }
              });
    }
    assertThat(opened[0]).isPositive();
    disk.observe(null);
    images += disk.images(ALL, seed, image -> useOn(ToldLog.open(image, created.told(), seed)));
  }

  /// Without its header, which would be taken for one.
  private static byte[] formerRing() {
    byte[] former = formerLife(RING);
    Arrays.fill(former, 0, LogHeader.RING, (byte) 0x5a);
    return former;
  }

  private static boolean isRefused(RecordedDisk image) {
    try (BatchLog log = BatchLog.open(image, ToldLog.PATH)) {
      assertThat(log.identity()).isEqualTo(ToldLog.IDENTITY);
      return false;
    } catch (RegionFormatException e) {
      return true;
    }
  }

  /// The process is killed while a batch is in the device's cache; the next one replays it, and
  /// appends. Then the power fails.
  @Test
  void whatAKilledProcessLeftIsDurableBehindReplay() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    List<Point> points = new ArrayList<>();
    disk.observe(state -> points.add(new Point(state, log.told())));
    log.append(100);
    Mark mark = log.log().mark();
    log.append(9000);
    log.moveStart(mark);
    for (Point point : points) {
      ToldLog next = ToldLog.open(point.disk, point.told, seed);
      explore(point.disk, next, BatchLogCrashTest::useOn);
    }
  }

  /// A write has failed, its bytes are in the page cache, clean: what is replayed from there is
  /// made durable by another write.
  @Test
  void whatThePageCacheAloneHasIsWrittenAgain() {
    RecordedDisk disk = new RecordedDisk(false);
    ToldLog log = ToldLog.create(disk, RING);
    log.append(100);
    RecordedDisk before = disk.copy();
    long at = log.log().mark().position();
    log.append(5000);
    byte[] batch =
        Arrays.copyOfRange(disk.bytes(ToldLog.PATH), (int) at, (int) log.log().mark().position());
    before.plantInCache(ToldLog.PATH, at, batch);
    ToldLog next = ToldLog.open(before, log.told(), 5);
    explore(before, next, BatchLogCrashTest::useOn);
  }
}
