package io.holdfast.core.memory;

/// A line's width of nothing before the fields of a subclass: what a thread stores all the time is
/// then in no line with the object before it, which other threads may be using. Objects of
/// different threads often end up side by side, since the collector moves them there.
///
/// A JVM lays out the fields of a superclass first. The `int` fills the gap behind the header,
/// where a field of the subclass would go otherwise.
@SuppressWarnings("unused") // for their width alone
public abstract class LinePadding {
  private int p0;
  private long p1;
  private long p2;
  private long p3;
  private long p4;
  private long p5;
  private long p6;
  private long p7;
}
