package hourglass.store.embedded.rows;

import hourglass.store.RowEntry.Mark;
import java.util.List;

/**
 * The marks of a row here: there is one writer, the commit log, and the newest of its groups that
 * added to the row grows with every write and survives a restart.
 */
public final class Marks {
  private static final String WRITER = "log";

  private Marks() {}

  public static List<Mark> of(RowContent content) {
    return List.of(new Mark(WRITER, content.group()));
  }
}
