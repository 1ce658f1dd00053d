package io.holdfast.stress;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Holds the arrows between Holdfast's packages, which the module descriptors hold only between
/// modules. It lives here because this module alone sees all others.
final class ImportDirectionTest {
  /// The packages of core: each may use those before it.
  private static final List<String> CORE =
      List.of(
          "io.holdfast.core",
          "io.holdfast.core.disk",
          "io.holdfast.core.persistence..",
          "io.holdfast.core.memory..",
          "io.holdfast.core.redo",
          "io.holdfast.core.log..",
          "io.holdfast.core.section.commit",
          "io.holdfast.core.section.watch",
          "io.holdfast.core.section",
          "io.holdfast.core.section.hooks",
          "io.holdfast.core.heap..",
          "io.holdfast.core.recovery",
          "io.holdfast.core.region");

  private static final List<String> MAP =
      List.of(
          "io.holdfast.codec",
          "io.holdfast.collections.overlay",
          "io.holdfast.collections.map.slot",
          "io.holdfast.collections.map.index",
          "io.holdfast.collections.map.write",
          "io.holdfast.collections.map.repair",
          "io.holdfast.collections.map",
          "io.holdfast.collections");

  private static final List<String> TREE =
      List.of(
          "io.holdfast.codec",
          "io.holdfast.collections.overlay",
          "io.holdfast.collections.tree.node",
          "io.holdfast.collections.tree.leaf",
          "io.holdfast.collections.tree.rank",
          "io.holdfast.collections.tree.repair",
          "io.holdfast.collections.tree",
          "io.holdfast.collections",
          "io.holdfast.collections.kind",
          "io.holdfast.verification",
          "io.holdfast");

  private static final String[] COLLECTIONS = {
    "io.holdfast", "io.holdfast.collections..", "io.holdfast.codec..", "io.holdfast.verification.."
  };
  private static final String AGENT = "io.holdfast.agent..";
  private static final String RECOVERY = "io.holdfast.recovery..";
  private static final String COMMAND_LINE = "io.holdfast.recovery.cli..";

  private static final JavaClasses MAIN_CLASSES =
      new ClassFileImporter()
          .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.holdfast");

  static Stream<Arguments> packagesWithLaterOnes() {
    return Stream.of(CORE, MAP, TREE)
        .flatMap(
            order ->
                IntStream.range(0, order.size())
                    .mapToObj(i -> Arguments.of(order.get(i), order.subList(i + 1, order.size()))));
  }

  @ParameterizedTest(name = "{0} uses none of {1}")
  @MethodSource("packagesWithLaterOnes")
  void packageUsesOnlyThoseBeforeIt(String earlier, List<String> later) {
    noClasses()
        .that()
        .resideInAPackage(earlier)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(later.toArray(String[]::new))
        .allowEmptyShould(true)
        .check(MAIN_CLASSES);
  }

  @Test
  void everyPackageOfCoreHasItsPlaceInTheOrder() {
    classes()
        .that()
        .resideInAPackage("io.holdfast.core..")
        .should()
        .resideInAnyPackage(CORE.toArray(String[]::new))
        .check(MAIN_CLASSES);
  }

  @Test
  void coreDependsOnTheJdkAlone() {
    classes()
        .that()
        .resideInAPackage("io.holdfast.core..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.holdfast.core..",
            "java..",
            "com.sun.management..",
            "jdk.jfr..",
            "jdk.nio.mapmode..")
        .check(MAIN_CLASSES);
  }

  @Test
  void collectionsDependOnCoreAndTheJdkAlone() {
    classes()
        .that()
        .resideInAnyPackage(COLLECTIONS)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(COLLECTIONS)
                .or(
                    resideInAnyPackage(
                        "io.holdfast.core..", "java..", "javax.management..", "jdk.jfr..")))
        .allowEmptyShould(true)
        .check(MAIN_CLASSES);
  }

  @Test
  void agentDependsOnCoreAndTheJdkAloneAndNotOnTheHeap() {
    classes()
        .that()
        .resideInAPackage(AGENT)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(AGENT, "io.holdfast.core..", "java..")
                .and(resideInAPackage("io.holdfast.core.heap..").negate())
                .as("the agent, core without its heap, or the JDK"))
        .allowEmptyShould(true)
        .check(MAIN_CLASSES);
  }

  @Test
  void recoveryDependsNeitherOnTheAgentNorOnBenchmarksAndStress() {
    noClasses()
        .that()
        .resideInAPackage(RECOVERY)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(AGENT, "io.holdfast.jmh..", "io.holdfast.stress..")
        .allowEmptyShould(true)
        .check(MAIN_CLASSES);
  }

  @Test
  void recoverysLibraryDependsOnTheJdkAndTheCollectionsAlone() {
    classes()
        .that()
        .resideInAPackage(RECOVERY)
        .and()
        .resideOutsideOfPackage(COMMAND_LINE)
        .should()
        .onlyDependOnClassesThat(
            resideInAPackage(RECOVERY)
                .and(resideInAPackage(COMMAND_LINE).negate())
                .or(resideInAnyPackage(COLLECTIONS))
                .or(
                    resideInAnyPackage(
                        "io.holdfast.core..",
                        "java..",
                        "javax.management..",
                        "com.sun.tools.attach..",
                        "jdk.."))
                .as("the library, the collections, core or the JDK"))
        .check(MAIN_CLASSES);
  }

  /// The rules above pass on an empty package: this shows that the import found the modules at all.
  @Test
  void mainClassesOfTheModulesAreSeenAndTestClassesAreNot() {
    assertThat(MAIN_CLASSES.contain("io.holdfast.core.Durability")).isTrue();
    assertThat(MAIN_CLASSES.contain("io.holdfast.stress.Stress")).isTrue();
    assertThat(MAIN_CLASSES.contain(ImportDirectionTest.class)).isFalse();
  }
}
