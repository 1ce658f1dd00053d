package io.holdfast.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.testkit.TestForm;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// `stress --quick`, whose cheapest part takes a third of a minute: in the thorough form alone.
class QuickStressTest {
  @Test
  void partsByTheirNames() {
    assumeThat(TestForm.isThorough()).as("the profile thorough").isTrue();
    StringWriter told = new StringWriter();
    CommandLine commandLine = Stress.commandLine();
    commandLine.setOut(new PrintWriter(told, true));
    commandLine.setErr(new PrintWriter(told, true));

    String[] arguments = {"--quick", "--seed", "7", "soak"};
    assertThat(commandLine.execute(Stress.withCommand(arguments))).as(told.toString()).isZero();
    assertThat(told.toString())
        .containsPattern("soak +passed")
        .contains("reproduce", "./holdfast stress soak --seconds 20 --seed 7")
        .doesNotContain("jcstress");
  }
}
