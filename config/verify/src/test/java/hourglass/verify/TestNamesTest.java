package hourglass.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestNamesTest {
  private static final TestNames METHOD = new TestNames("hourglass.query.FooTest", "isRight");
  private static final TestNames CLASS = new TestNames("hourglass.query.FooTest", null);

  @Test
  void aTestIsSelectedByItsClassOrMethod() {
    assertThat(METHOD.isWantedBy("FooTest")).isTrue();
    assertThat(METHOD.isWantedBy("hourglass.query.FooTest#isRight")).isTrue();
    assertThat(METHOD.isWantedBy("FooTest#isWrong")).isFalse();
    assertThat(METHOD.isWantedBy("BarTest")).isFalse();
  }

  @Test
  void aClassIsSelectedIfItContainsASelectedMethod() {
    assertThat(CLASS.isWantedBy("FooTest#isRight")).isTrue();
    assertThat(CLASS.isWantedBy("BarTest#isRight")).isFalse();
  }

  @Test
  void theOptionSelectsTheTestItNames() {
    assertThat(METHOD.option()).isEqualTo("FooTest#isRight");
    assertThat(METHOD.isWantedBy(METHOD.option())).isTrue();
    assertThat(CLASS.option()).isEqualTo("FooTest");
  }
}
