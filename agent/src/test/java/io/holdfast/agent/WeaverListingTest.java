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
             31 goto 55
             34 store 4
             36 load 3
             37 dup
             38 dup
             39 store 5
             41 call releasing
             44 goto 51
             47 load 5
             49 monitorexit
             50 athrow
             51 monitorexit
             52 load 4
             54 athrow
             55 return
            [7, 12) -> 15 any
            [41, 44) -> 47 any
            [19, 31) -> 34 any
            [34, 41) -> 34 any
            [51, 52) -> 34 any
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
