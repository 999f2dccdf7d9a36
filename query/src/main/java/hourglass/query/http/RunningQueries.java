package hourglass.query.http;

import hourglass.access.Client;
import hourglass.access.RequestId;
import hourglass.access.SecretText;
import hourglass.query.scan.QueryReads;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The queries under way in this process, from their requests for a place to their ends. The places
 * of queries bound their number. Thread-safe.
 */
final class RunningQueries {
  /** A form may be long, and a list or a log needs only what tells one question from another. */
  private static final int QUESTION_CHARS_MAX = 2_000;

  private final Clock clock;
  private final ConcurrentMap<Name, RunningQuery> running = new ConcurrentHashMap<>();

  /** Creates an empty list. The clock is that of the time of day. */
  RunningQueries(Clock clock) {
    this.clock = clock;
  }

  /**
   * The name of a query. Clients choose their ids, so the id of one may also be that of another.
   */
  private record Name(Object share, String id) {}

  /**
   * One query. Thread-safe.
   *
   * @param id unique among the queries of its client: the id of its request, or another name if
   *     that is taken
   * @param question the path and the parameters of the request, decoded for reading
   * @param since the time of its request for a place
   * @param cancel ends it, so that its client receives the failure; the result is false if it had
   *     ended before
   */
  record RunningQuery(
      String id,
      Client client,
      String question,
      QueryReads reads,
      Instant since,
      Function<Failure, CompletionStage<Boolean>> cancel) {

    private Name name() {
      return new Name(client.share(), id);
    }

    private RunningQuery named(String other) {
      return new RunningQuery(other, client, question, reads, since, cancel);
    }
  }

  RunningQuery begin(
      RoutingContext ctx,
      Client client,
      QueryReads reads,
      Function<Failure, CompletionStage<Boolean>> cancel) {
    String request = AnswerHead.requestId(ctx);
    // A path cannot end with dots alone.
    String id = request == null || request.replace(".", "").isEmpty() ? RequestId.next() : request;
    RunningQuery query =
        new RunningQuery(id, client, question(ctx), reads, clock.instant(), cancel);
    while (running.putIfAbsent(query.name(), query) != null) {
      query = query.named(RequestId.next());
    }
    return query;
  }

  /** Returns the path and the parameters of a request, decoded for reading, for lists and logs. */
  static String question(RoutingContext ctx) {
    String parameters =
        ctx.queryParams().entries().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining("&"));
    String question = ctx.normalizedPath() + (parameters.isEmpty() ? "" : "?" + parameters);
    // It is cut last, since a secret may lie across the cut.
    String shown = SecretText.hide(question);
    return shown.length() <= QUESTION_CHARS_MAX
        ? shown
        : shown.substring(0, QUESTION_CHARS_MAX) + "...";
  }

  /** Removes a query that has ended. */
  void end(RunningQuery query) {
    running.remove(query.name(), query);
  }

  /** Returns the queries under way, the oldest first. */
  List<RunningQuery> all() {
    return running.values().stream().sorted(Comparator.comparing(RunningQuery::since)).toList();
  }

  /** Returns the query of a client that has this id; null if none is under way. */
  @Nullable RunningQuery of(Client client, String id) {
    return running.get(new Name(client.share(), id));
  }

  /** Returns the queries of all clients that have this id. */
  List<RunningQuery> named(String id) {
    return running.values().stream().filter(query -> query.id().equals(id)).toList();
  }
}
