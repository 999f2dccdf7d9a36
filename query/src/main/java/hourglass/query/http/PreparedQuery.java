package hourglass.query.http;

import hourglass.query.Selection;
import hourglass.query.fair.AnswerBody;
import hourglass.query.fair.Places.Size;
import hourglass.query.service.QueryService;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A request for a place, with the work that follows.
 *
 * @param size unknown if the directory has to be read first
 * @param limited whether a body that fits into its chunks is sent whole
 * @param limit the time limit of the request
 * @param work supplied on threads of queries, perhaps twice; throws if the request is refused
 */
public record PreparedQuery(
    Size size, AnswerHead head, boolean limited, TimeLimit limit, Supplier<Work> work) {

  public PreparedQuery(Size size, AnswerHead head, boolean limited, Supplier<Work> work) {
    this(size, head, limited, TimeLimit.NONE, work);
  }

  /** Returns the same query with a time limit of its own. */
  PreparedQuery within(TimeLimit own) {
    return new PreparedQuery(size, head, limited, own, work);
  }

  /**
   * The work of a query.
   *
   * @param readsPayloads whether it reads all events of the selection, instead of counting them
   */
  public record Work(
      Selection selection, boolean readsPayloads, Function<QueryService, AnswerBody> body) {}

  /** Returns the query of a request that was parsed at once. */
  static PreparedQuery of(
      Size size,
      Selection selection,
      boolean readsPayloads,
      AnswerHead head,
      boolean limited,
      Function<QueryService, AnswerBody> body) {
    Work work = new Work(selection, readsPayloads, body);
    return new PreparedQuery(size, head, limited, () -> work);
  }
}
