package hourglass.store.embedded.rows;

import hourglass.store.RowEntry.Mark;
import java.util.List;

/**
 * The marks of a row. The only writer is the commit log. Its mark is the newest group that added to
 * the row, which grows with every write and survives a restart.
 */
public final class Marks {
  private static final String WRITER = "log";

  private Marks() {}

  public static List<Mark> of(RowContent content) {
    return List.of(new Mark(WRITER, content.group()));
  }
}
