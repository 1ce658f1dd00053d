/// The Java agent that weaves existing `synchronized` code into failure-atomic sections. It names
/// core's hooks and does not link to them: core is on the application's path.
module io.holdfast.agent {
  requires java.instrument;
}
