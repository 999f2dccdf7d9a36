package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.seed.Seed;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextSearchTest {
  private final Random random = Seed.random(this);

  @Test
  void findsWhatStringsFind() {
    int found = 0;
    for (int i = 0; i < 3000; i++) {
      List<String> texts = new ArrayList<>();
      ColumnsBuilder out = new ColumnsBuilder(4, 0);
      for (int column = 0; column < 4; column++) {
        texts.add(random(random.nextInt(30)));
        byte[] bytes = texts.get(column).getBytes(StandardCharsets.UTF_8);
        out.add(column, 0, bytes, 0, bytes.length);
      }
      Columns columns = out.build();
      String wanted = random(1 + random.nextInt(5));
      TextSearch search = new TextSearch(wanted);
      for (int column = 0; column < 4; column++) {
        boolean expected = texts.get(column).contains(wanted);
        assertThat(search.isIn(columns, column)).isEqualTo(expected);
        found += expected ? 1 : 0;
      }
    }
    assertThat(found).isBetween(1000, 11_000);
  }

  /** Few letters, one of two bytes, so that texts repeat themselves. */
  private String random(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("abé".charAt(random.nextInt(3)));
    }
    return text.toString();
  }
}
