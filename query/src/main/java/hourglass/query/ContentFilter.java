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
   * Checks what its text alone did not tell, before any event is read. It may take some time.
   *
   * @throws BadParameterException if the condition is invalid
   */
  void check();

  /** Whether events of a type may match. */
  boolean mayBeOf(String type);

  /** False if the type alone decides. */
  boolean readsPayload();

  /**
   * Whether column {@code i} of a row matches.
   *
   * @param gone whether the client gave the query up
   * @throws BadParameterException if that takes too many steps
   * @throws java.util.concurrent.CancellationException once {@code gone}
   */
  boolean takes(String type, Columns columns, int i, BooleanSupplier gone);

  /** A filter for the store that every matching event passes; null if there is none. */
  @Nullable FieldFilter fields();

  /** As {@link #fields}, if it can match payloads for certain; else null. */
  @Nullable FieldFilter decidingFields();
}
