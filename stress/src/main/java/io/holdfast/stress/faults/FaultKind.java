package io.holdfast.stress.faults;

/// What a fault leaves out of the compiled code.
public enum FaultKind {
  /// A write-back of lines is not started.
  FLUSH("flush"),
  /// A fence, of the media or of the memory model, is not there.
  FENCE("fence"),
  /// A store that others may see only behind what was stored before is a plain one.
  RELEASE("release"),
  /// A load that others' stores are to be seen behind is a plain one.
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

  /// Whether it changes what a class that is loaded can't change: flags of its members.
  public boolean isOfDeclaration() {
    return this == VOLATILE || this == SYNCHRONIZED;
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
