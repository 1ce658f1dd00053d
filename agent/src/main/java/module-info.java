/// The Java agent that weaves existing `synchronized` code into failure-atomic sections.
module io.holdfast.agent {
  requires io.holdfast.core;
  requires java.instrument;
}
