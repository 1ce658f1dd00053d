package io.holdfast.recovery;

/// Hears how far long work has come. Implementations are thread-safe, and cheap enough to be called
/// often.
public interface Progress {
  /// Nobody hears.
  Progress NONE =
      (what, total, unit) ->
          new Task() {
            @Override
            public void advance(long by) {
              // Nobody listens.
            }

            @Override
            public void close() {
              // Nothing was begun.
            }
          };

  /// Begins a piece of work.
  ///
  /// @param what a word or two, such as `blocks`
  /// @param total how much there is to do, -1 if that is not known
  /// @param unit of what is counted, such as `MiB` or `entries`
  Task begin(String what, long total, String unit);

  /// A piece of work; closed when it has ended, however it did.
  interface Task extends AutoCloseable {
    /// So much more is done.
    void advance(long by);

    @Override
    void close();
  }
}
