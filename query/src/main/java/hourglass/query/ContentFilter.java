package hourglass.query;

import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A condition on events in another language than {@code where}. Its text identifies it. Immutable.
 */
public interface ContentFilter {

  /**
   * Checks the condition beyond its text, before any event is read. This may take some time.
   *
   * @throws BadParameterException if the condition is invalid
   */
  void check();

  /** Whether events of a type may match. */
  boolean mayBeOf(String type);

  /** Whether the payload is needed; false if the type alone decides. */
  boolean readsPayload();

  /**
   * Whether column {@code i} of a row matches.
   *
   * @param gone whether the client has cancelled the query
   * @throws BadParameterException if this needs too many steps
   * @throws java.util.concurrent.CancellationException once {@code gone}
   */
  boolean takes(String type, Columns columns, int i, BooleanSupplier gone);

  /** Returns a filter for the store that passes every matching event; null if there is none. */
  @Nullable FieldFilter fields();

  /** Returns {@link #fields} if that filter can match payloads with certainty; else null. */
  @Nullable FieldFilter decidingFields();
}
