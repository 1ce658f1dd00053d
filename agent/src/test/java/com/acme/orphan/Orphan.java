package com.acme.orphan;

/// Needs classes to be known for its stack maps: two paths join on a common superclass.
public class Orphan {
  static class Base {
    @Override
    public String toString() {
      return "base";
    }
  }

  static class Left extends Base {}

  static class Right extends Base {}

  synchronized String join(boolean left) {
    Base joined = left ? new Left() : new Right();
    return joined.toString();
  }
}
