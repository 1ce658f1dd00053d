package io.holdfast.stress.faults;

/// What a fault leaves out of the compiled code.
public enum FaultKind {
  /// A write-back of lines is not started.
  FLUSH("flush"),
  /// A fence, of the media or a full one, is not there.
  FENCE("fence"),
  /// A store to a region that comes after what was stored there before is a plain one.
  RELEASE("release"),
  /// A store to the heap, or to mapped bytes, by which other threads see what was stored before is
  /// a plain one; or the fence in front of it is not there.
  PUBLISH("publish"),
  /// A load that others' stores are to be seen after is a plain one; or the fence after it is not
  /// there.
  ACQUIRE("acquire"),
  /// A field is not volatile.
  VOLATILE("volatile"),
  /// A lock is given up as soon as it is taken.
  LOCK("lock"),
  /// The `synchronized` blocks of a method take no monitor.
  MONITOR("monitor"),
  /// A method is not `synchronized`.
  SYNCHRONIZED("synchronized"),
  /// A question whether what was read counts is not asked: the answer is the one that lets go on.
  CHECK("check");

  private final String word;

  FaultKind(String word) {
    this.word = word;
  }

  /// Whether it changes what a class that is loaded can't change: flags of its members. Of a method
  /// that is `synchronized` the code takes the monitor instead, in all that is tried.
  public boolean isOfDeclaration() {
    return this == VOLATILE;
  }

  /// Whether it is about what a crash leaves; if not, about what threads see of each other.
  public boolean isOfMedia() {
    return this == FLUSH || this == FENCE || this == RELEASE || this == CHECK;
  }

  static FaultKind of(String word) {
    for (FaultKind kind : values()) {
      if (kind.word.equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no such kind of fault: " + word);
  }

  @Override
  public String toString() {
    return word;
  }
}
