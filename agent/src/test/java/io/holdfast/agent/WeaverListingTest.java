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
              4 dup
              5 store 5
              7 monitorenter
              8 call acquired
             11 goto 18
             14 load 5
             16 monitorexit
             17 athrow
             18 load 2
             19 call run
             24 load 3
             25 dup
             26 call releasing
             29 monitorexit
             30 goto 54
             33 store 4
             35 load 3
             36 dup
             37 dup
             38 store 5
             40 call releasing
             43 goto 50
             46 load 5
             48 monitorexit
             49 athrow
             50 monitorexit
             51 load 4
             53 athrow
             54 return
            [8, 11) -> 14 any
            [40, 43) -> 46 any
            [18, 30) -> 33 any
            [33, 40) -> 33 any
            [50, 51) -> 33 any
            """);
  }

  @Test
  void aMethod() {
    assertThat(Listing.of(monitors.bytes().orElseThrow(), "aDouble"))
        .isEqualToNormalizingNewlines(
            """
              0 load 0
              1 call acquired
              4 load 1
              5 dconst_0
              6 dcmpg
              7 ifge 15
             10 load 1
             11 dneg
             12 goto 18
             15 ldc2_w
             18 load 0
             19 call releasing
             22 dreturn
             23 load 0
             24 call releasing
             27 athrow
            [4, 22) -> 23 any
            """);
  }

  @Test
  void aStaticMethod() {
    assertThat(Listing.of(monitors.bytes().orElseThrow(), "ofClass"))
        .isEqualToNormalizingNewlines(
            """
              0 ldc
              2 call acquired
              5 load 0
              6 call run
             11 ldc
             13 call releasing
             16 return
             17 ldc
             19 call releasing
             22 athrow
            [5, 16) -> 17 any
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
}
