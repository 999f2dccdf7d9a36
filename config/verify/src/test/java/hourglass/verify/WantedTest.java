package hourglass.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.testing.Project;
import hourglass.testing.Tier;
import java.util.List;
import org.junit.jupiter.api.Test;

class WantedTest {
  private static Wanted of(String... arguments) {
    return Wanted.of(Project.ROOT, arguments);
  }

  @Test
  void withoutArgumentsTheFirstTierOfAllModulesRuns() {
    assertThat(of()).isEqualTo(new Wanted(Tier.FIRST, List.of(), List.of(), List.of()));
    assertThat(of().isEverything()).isTrue();
    assertThat(of().excludedTags()).containsExactly(Tier.IN_FULL, Tier.IN_LONGEST);
    assertThat(of("--full").excludedTags()).containsExactly(Tier.IN_LONGEST);
    assertThat(of("--long").excludedTags()).isEmpty();
  }

  @Test
  void modulesAreNamedByFolderOrAsProgram() {
    Wanted wanted = of("store/pages/", "program");
    assertThat(wanted.modules()).containsExactly("store/pages", "config/program");
    assertThat(wanted.includes("store/pages")).isTrue();
    assertThat(wanted.includes("query")).isFalse();
    assertThat(wanted.isEverything()).isFalse();
  }

  @Test
  void aNamedTestRunsInAnyTier() {
    Wanted wanted = of("query", "--test", "FooTest#isRight", "-Dhourglass.seed=7");
    assertThat(wanted.tests()).containsExactly("FooTest#isRight");
    assertThat(wanted.properties()).containsExactly("-Dhourglass.seed=7");
    assertThat(wanted.excludedTags()).isEmpty();
  }

  @Test
  void anUnknownModuleIsRefused() {
    assertThatThrownBy(() -> of("docs"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"docs\" is no module");
  }
}
