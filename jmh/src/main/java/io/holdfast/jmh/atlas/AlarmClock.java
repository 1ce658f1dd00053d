package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.CompilerControl.Mode;

/// Alarms in a list by time (one of Atlas's test programs). One thread sets them, another has them
/// expire, the earliest first. An operation is an alarm that is set and expires.
///
/// | block | word 0 | word 1 | word 2 | word 3 |
/// |---|---|---|---|---|
/// | root | the earliest alarm | the time | alarms set so far | alarms expired so far |
/// | alarm | its time | its number | the next alarm | |
///
/// **ALARM-1** Alarms are in the order of their times, those of one time in the order of their
/// numbers; none is earlier than the clock's time; and those that were set have expired or are in
/// the list.
///
/// Time is the program's own, and jumps to the next alarm, as it does for somebody who sleeps until
/// then. So a run does the same however fast it is.
public final class AlarmClock extends Program {
  /// A thread that would set another one waits: the list is searched from its beginning.
  private static final int PENDING_MAX = 64;

  /// A prime, and delays of 1 to a prime less: so that alarms are inserted all over the list.
  private static final int STRIDE = 37;

  private static final int DELAYS = 61;

  private static final int TIME = 8;
  private static final int SET = 16;
  private static final int EXPIRED = 24;
  private static final int ROOT_BYTES = 64;
  private static final int NUMBER = 8;
  private static final int NEXT = 16;
  private static final int ALARM_BYTES = 24;

  private final Object lock = new Object();
  private final long root;

  /// Alarms in the list; written under the lock.
  private volatile int pending;

  /// A clock, which stands at 0 when it is new.
  public AlarmClock(ProgramMemory memory) {
    super(memory);
    root = memory.root(ROOT_BYTES);
    pending = alarms().size();
  }

  @Override
  public int threads() {
    return 2;
  }

  @Override
  public void run(int thread, int operations) {
    for (int i = 0; i < operations; i++) {
      if (thread == 0) {
        for (Patience patience = new Patience(); pending >= PENDING_MAX; ) {
          patience.wear();
        }
        set(1 + i * STRIDE % DELAYS);
      } else {
        for (Patience patience = new Patience(); pending == 0; ) {
          patience.wear();
        }
        expire();
      }
    }
  }

  /// Sets an alarm.
  ///
  /// @param delay from the clock's time
  @CompilerControl(Mode.DONT_INLINE)
  public void set(long delay) {
    synchronized (lock) {
      memory.acquired(lock);
      try {
        long time = memory.read(root + TIME) + delay;
        long number = memory.read(root + SET);
        long link = root;
        long next = memory.read(link);
        while (next != 0 && memory.read(next) <= time) {
          link = next + NEXT;
          next = memory.read(link);
        }
        long alarm = memory.allocate(ALARM_BYTES);
        memory.writeNew(alarm, time);
        memory.writeNew(alarm + NUMBER, number);
        memory.writeNew(alarm + NEXT, next);
        memory.write(link, alarm);
        memory.write(root + SET, number + 1);
      } finally {
        memory.releasing(lock);
      }
      pending = pending + 1;
    }
  }

  /// Has the earliest alarm expire, and the clock show its time.
  ///
  /// @return whether there was one
  @CompilerControl(Mode.DONT_INLINE)
  public boolean expire() {
    synchronized (lock) {
      if (pending == 0) {
        return false;
      }
      memory.acquired(lock);
      try {
        long alarm = memory.read(root);
        memory.write(root, memory.read(alarm + NEXT));
        memory.write(root + TIME, memory.read(alarm));
        memory.write(root + EXPIRED, memory.read(root + EXPIRED) + 1);
        memory.free(alarm, ALARM_BYTES);
      } finally {
        memory.releasing(lock);
      }
      pending = pending - 1;
      return true;
    }
  }

  private record Alarm(long time, long number) {
    boolean isBefore(Alarm other) {
      return time < other.time || time == other.time && number < other.number;
    }
  }

  private List<Alarm> alarms() {
    List<Alarm> alarms = new ArrayList<>();
    Alarm last = new Alarm(memory.read(root + TIME), -1);
    for (long at = memory.read(root); at != 0; at = memory.read(at + NEXT)) {
      Alarm next = new Alarm(memory.read(at), memory.read(at + NUMBER));
      require(last.isBefore(next), "ALARM-1: %s follows %s", next, last);
      alarms.add(next);
      last = next;
    }
    return alarms;
  }

  @Override
  public List<Long> content() {
    List<Alarm> alarms = alarms();
    long set = memory.read(root + SET);
    long expired = memory.read(root + EXPIRED);
    require(
        set == expired + alarms.size() && pending == alarms.size(),
        "ALARM-1: set=%d, expired=%d, in the list=%d, counted=%d",
        set,
        expired,
        alarms.size(),
        pending);
    List<Long> content = new ArrayList<>(List.of(memory.read(root + TIME), set));
    for (Alarm alarm : alarms) {
      content.add(alarm.time());
      content.add(alarm.number());
    }
    return content;
  }

  @Override
  public int blocks() {
    return 1 + alarms().size();
  }
}
