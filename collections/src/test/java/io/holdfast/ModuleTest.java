package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What users with modules see.
class ModuleTest {
  @Test
  void frontDoorCollectionsAndCodecsAreExported() throws URISyntaxException {
    Path classes =
        Path.of(Holdfast.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    assertThat(ModuleFinder.of(classes).find("io.holdfast").orElseThrow().descriptor().exports())
        .filteredOn(exports -> !exports.isQualified())
        .extracting(Exports::source)
        .containsExactlyInAnyOrder(
            "io.holdfast",
            "io.holdfast.codec",
            "io.holdfast.collections",
            "io.holdfast.verification");
  }
}
