package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What woven code looks like, instruction by instruction.
class WeaverListingTest {
  private final Weaver.Result monitors = weave("com.acme.Monitors");

  private static Weaver.Result weave(String name) {
    return Weaver.weave(WovenLoader.read(name), WeaverListingTest.class.getClassLoader());
  }

  @Test
  void aBlock() {
    assertThat(Listing.of(monitors.bytes().orElseThrow(), "block"))
        .isEqualToNormalizingNewlines(
            """
              0 load 1
              1 dup
              2 store 3
              3 dup
              4 store 5
              6 monitorenter
              7 load 5
              9 call acquired
             12 goto 19
             15 load 5
             17 monitorexit
             18 athrow
             19 load 2
             20 call run
             25 load 3
             26 dup
             27 call releasing
             30 monitorexit
             31 call released
             34 goto 64
             37 store 4
             39 load 3
             40 dup
             41 dup
             42 store 5
             44 call failing
             47 call releasing
             50 goto 57
             53 load 5
             55 monitorexit
             56 athrow
             57 monitorexit
             58 call released
             61 load 4
             63 athrow
             64 return
            [7, 12) -> 15 any
            [44, 50) -> 53 any
            [19, 31) -> 37 any
            [37, 44) -> 37 any
            [57, 58) -> 37 any
            """);
  }

  @Test
  void aMethod() {
    assertThat(Listing.of(monitors.bytes().orElseThrow(), "aDouble"))
        .isEqualToNormalizingNewlines(
            """
              0 load 0
              1 monitorenter
              2 load 0
              3 call acquired
              6 load 1
              7 dconst_0
              8 dcmpg
              9 ifge 17
             12 load 1
             13 dneg
             14 goto 20
             17 ldc2_w
             20 store 3
             21 goto 24
             24 load 0
             25 call releasing
             28 load 0
             29 monitorexit
             30 call released
             33 load 3
             34 dreturn
             35 call failing
             38 load 0
             39 call releasing
             42 load 0
             43 monitorexit
             44 call released
             47 athrow
             48 load 0
             49 monitorexit
             50 athrow
            [6, 24) -> 35 any
            [24, 28) -> 35 any
            [2, 6) -> 48 any
            [35, 42) -> 48 any
            """);
  }

  @Test
  void aStaticMethod() {
    assertThat(Listing.of(monitors.bytes().orElseThrow(), "ofClass"))
        .isEqualToNormalizingNewlines(
            """
              0 ldc
              2 store 1
              3 load 1
              4 monitorenter
              5 load 1
              6 call acquired
              9 load 0
             10 call run
             15 goto 18
             18 load 1
             19 call releasing
             22 load 1
             23 monitorexit
             24 call released
             27 return
             28 call failing
             31 load 1
             32 call releasing
             35 load 1
             36 monitorexit
             37 call released
             40 athrow
             41 load 1
             42 monitorexit
             43 athrow
            [9, 18) -> 28 any
            [18, 22) -> 28 any
            [5, 9) -> 41 any
            [28, 35) -> 41 any
            """);
  }

  @Test
  void whatHasNoMonitorsStaysAsItIs() {
    assertThat(weave("com.acme.Unlocked").bytes()).isEmpty();
    assertThat(Listing.of(monitors.bytes().orElseThrow(), "toString"))
        .isEqualTo(Listing.of(WovenLoader.read("com.acme.Monitors"), "toString"));
  }

  @Test
  void theCounts() {
    assertThat(monitors.count(Construct.METHOD)).isEqualTo(14);
    assertThat(monitors.count(Construct.BLOCK)).isEqualTo(15);
  }

  @Test
  void whatWasFoundIsTold() {
    assertThat(monitors.methods())
        .filteredOn(method -> method.name().equals("methodWithBlock"))
        .singleElement()
        .satisfies(
            method -> {
              assertThat(method.owner()).isEqualTo("com/acme/Monitors");
              assertThat(method.descriptor())
                  .isEqualTo("(Ljava/lang/Object;Ljava/lang/Runnable;)V");
              assertThat(method.sites())
                  .hasToString("[synchronized method, synchronized block in line 141]");
            });
  }

  @Test
  void tasksOnlyIfTheyAreWanted() {
    String name = "com.acme.Tasks";
    assertThat(weave(name).count(Construct.HANDED)).isPositive();
    assertThat(weave(name).count(Construct.TASK)).isPositive();
    Weaver.Result without =
        Weaver.weave(
            WovenLoader.read(name), getClass().getClassLoader(), false, new Extras(false, false));
    assertThat(without.count(Construct.HANDED) + without.count(Construct.TASK)).isZero();
    assertThat(AgentOptions.parse("include=a").extras().tasks()).isTrue();
    assertThat(AgentOptions.parse("include=a;tasks=off").extras().tasks()).isFalse();
  }
}
