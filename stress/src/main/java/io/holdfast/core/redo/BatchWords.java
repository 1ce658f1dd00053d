package io.holdfast.core.redo;

import java.nio.ByteBuffer;

/// What replay of a batch would store: for tests that look at a log between two batches. It is in
/// this package because nobody else may see a log from inside.
public final class BatchWords {
  private BatchWords() {}

  /// What is told of words, and of the first word of bytes; other stores are passed over.
  public interface Words {
    void word(long offset, long value);
  }

  /// Reads what is written to a log's file.
  ///
  /// @param at where it is written
  public static void read(long at, ByteBuffer blocks, Words words) {
    if (at < LogHeader.RING) {
      return; // no batch
    }
    Batch batch = Batch.read(blocks, blocks.remaining());
    ByteBuffer records = blocks.slice(Batch.HEADER_BYTES, batch.payload()).order(blocks.order());
    RedoRecord.replay(
        records,
        new RedoRecord.Target() {
          @Override
          public void word(long offset, long value) {
            words.word(offset, value);
          }

          @Override
          public void byteAt(long offset, byte value) {}

          @Override
          public void bytes(long offset, byte[] from, int count) {
            words.word(offset, ByteBuffer.wrap(from).order(blocks.order()).getLong());
          }

          @Override
          public void zeros(long offset, long count) {}
        });
  }
}
