package io.holdfast.core.memory;

/// What a section that has ended and waits for others has not made durable yet: its data, and the
/// word that says that it has ended ({@link Memory#writeEnd}). Whoever makes the section durable
/// does that first, in the order of these methods, with a wait between them:
///
/// 1. {@link #takeData}, and {@link Memory#makeDataDurable} in the same thread;
/// 2. {@link #store}, and {@link Memory#releaseFence}.
///
/// Not thread-safe: handed from the section's thread to the one that calls this.
public abstract class EndMark {
  /// Nothing is held back: data and word are durable.
  public static final EndMark STORED =
      new EndMark() {
        @Override
        public void takeData() {
          // They are durable.
        }

        @Override
        public void store() {
          // It is.
        }
      };

  /// From now on the section's data are the calling thread's, as if it had stored them: it flushes
  /// them and waits for them.
  public abstract void takeData();

  /// Stores the word, plain, unless a greater one is there already.
  public abstract void store();
}
