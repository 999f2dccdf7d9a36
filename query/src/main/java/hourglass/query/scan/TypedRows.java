package hourglass.query.scan;

import hourglass.store.RowEntry;
import java.util.Iterator;
import java.util.List;

/**
 * The rows of an hour that hold one type.
 *
 * @param type the type
 * @param rows at least one
 */
public record TypedRows(String type, List<RowEntry> rows) {

  /**
   * Groups rows by type lazily, during iteration.
   *
   * @param rows of one hour, sorted by key
   */
  static Iterable<TypedRows> group(List<RowEntry> rows) {
    return () ->
        new Iterator<>() {
          private int at;

          @Override
          public boolean hasNext() {
            return at < rows.size();
          }

          @Override
          public TypedRows next() {
            int from = at;
            String type = rows.get(from).row().type();
            do {
              at++;
            } while (at < rows.size() && rows.get(at).row().type().equals(type));
            return new TypedRows(type, rows.subList(from, at));
          }
        };
  }
}
