package hourglass.query;

import hourglass.query.values.FieldSummary;
import java.util.List;

/**
 * The fields of events.
 *
 * @param fields those in most events first, and then by name
 * @param events the number of events that were read
 * @param hasMore whether there are further fields
 * @param share of the time that was read, to which the counts refer; 1 if all of it was read
 */
public record Fields(List<Field> fields, long events, boolean hasMore, double share) {
  /** The most values of a field in an answer. */
  public static final int VALUES = 5;

  public Fields {
    fields = List.copyOf(fields);
  }

  /** A field, by its path from the root of the payload. */
  public record Field(String path, FieldSummary summary) {}
}
