package io.holdfast.core.memory;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionAccessException;

/// A memory over another one, to which it hands on what a subclass leaves as it is.
///
/// What {@link Memory} makes of other calls is not handed on, and comes back as these: {@link
/// #writeLogged}, {@link #publishData}, {@link #makeDataDurable}, {@link #writeEnd}, {@link
/// #unordered}.
public abstract class ForwardingMemory extends Memory {
  protected final Memory bytes;

  protected ForwardingMemory(Memory bytes) {
    this.bytes = bytes;
  }

  @Override
  public long length() {
    return bytes.length();
  }

  @Override
  public void grow(long newLength) {
    bytes.grow(newLength);
  }

  @Override
  public void prepare(long newLength) {
    bytes.prepare(newLength);
  }

  @Override
  public void shrink(long newLength) {
    bytes.shrink(newLength);
  }

  @Override
  public void giveBack() {
    bytes.giveBack();
  }

  @Override
  public long readPlain(long offset) {
    return bytes.readPlain(offset);
  }

  @Override
  public long readAcquire(long offset) {
    return bytes.readAcquire(offset);
  }

  @Override
  public void writePlain(long offset, long value) {
    bytes.writePlain(offset, value);
  }

  @Override
  public void writeRelease(long offset, long value) {
    bytes.writeRelease(offset, value);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    bytes.writeLoggedByte(offset, value);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    bytes.writeEntryRelease(offset, w0, w1, w2, last);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int count) {
    bytes.readBytes(offset, into, at, count);
  }

  @Override
  public boolean hasBytes(long offset, byte[] expected, int count) {
    return bytes.hasBytes(offset, expected, count);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    bytes.writeBytesPlain(offset, from, at, count);
  }

  @Override
  public boolean storesWhole(long offset, long count) {
    return bytes.storesWhole(offset, count);
  }

  @Override
  public void zeroPlain(long offset, long count) {
    bytes.zeroPlain(offset, count);
  }

  @Override
  public void releaseFence() {
    bytes.releaseFence();
  }

  @Override
  public PersistenceCounts threadCounts() {
    return bytes.threadCounts();
  }

  @Override
  public void flush(long offset, long count) {
    bytes.flush(offset, count);
  }

  @Override
  public void fence() {
    bytes.fence();
  }

  @Override
  public void force() {
    bytes.force();
  }

  @Override
  public void awaitDurable() {
    bytes.awaitDurable();
  }

  @Override
  public void acknowledge() {
    bytes.acknowledge();
  }

  @Override
  public void makeDurableSoon() {
    bytes.makeDurableSoon();
  }

  @Override
  public boolean isDurable() {
    return bytes.isDurable();
  }

  @Override
  public boolean survivesPowerFailure() {
    return bytes.survivesPowerFailure();
  }

  @Override
  public boolean hasLog() {
    return bytes.hasLog();
  }

  @Override
  public RegionAccessException faulted(InternalError fault) {
    return bytes.faulted(fault);
  }

  @Override
  public void claim() {
    bytes.claim();
  }

  @Override
  public boolean canBeRead() {
    return bytes.canBeRead();
  }

  @Override
  public void disclaim() {
    bytes.disclaim();
  }

  @Override
  public RegionAccessException checkLength() {
    return bytes.checkLength();
  }

  @Override
  DirtyPages watchStores() {
    return bytes.watchStores();
  }

  @Override
  void endWatch() {
    bytes.endWatch();
  }

  @Override
  public String name() {
    return bytes.name();
  }

  @Override
  public void close() {
    bytes.close();
  }

  @Override
  public Memory reopen() {
    return bytes.reopen();
  }
}
