package hourglass.query;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class QueryOptionsTest {

  @Test
  void refusalNamesOptionValueAndBounds() {
    assertThatThrownBy(() -> QueryOptions.builder().fanOut(0).build())
        .hasMessage("query option fanOut: 0, want 1 to 1024");
    assertThatThrownBy(() -> QueryOptions.builder().chunks(1).build())
        .hasMessage("query option chunks: 1, want 2 to 256");
  }
}
