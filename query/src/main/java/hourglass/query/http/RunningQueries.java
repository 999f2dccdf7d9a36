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
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queries under way in this process, from their requests for a place to their ends. Slow ones
 * are written to the log. The places of queries bound their number. Thread-safe.
 */
public final class RunningQueries {
  /** The log of slow queries, which has a line of JSON for each. */
  public static final String SLOW = "hourglass.query.SlowQueries";

  private static final Logger slow = LoggerFactory.getLogger(SLOW);

  /** A form may be long, and a list or a log needs only what tells one question from another. */
  private static final int QUESTION_CHARS_MAX = 2_000;

  private final Clock clock;
  private final long slowMillis;
  private final ConcurrentMap<String, RunningQuery> running = new ConcurrentHashMap<>();

  /**
   * Creates an empty list.
   *
   * @param clock the time of day
   * @param slowMillis queries that take longer are written to the log; 0: none
   */
  RunningQueries(Clock clock, long slowMillis) {
    this.clock = clock;
    this.slowMillis = slowMillis;
  }

  /**
   * One query. Thread-safe.
   *
   * @param id unique among the queries under way: the id of its request, or another name if that is
   *     taken
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
    while (running.putIfAbsent(query.id(), query) != null) {
      query = query.named(RequestId.next());
    }
    return query;
  }

  private static String question(RoutingContext ctx) {
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

  /** Removes a query that has ended, and writes a slow one to the log. */
  void end(RunningQuery query, long nanos, String outcome) {
    running.remove(query.id(), query);
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (slowMillis > 0 && millis > slowMillis) {
      slow.atInfo()
          .addKeyValue("id", query.id())
          .addKeyValue("client", query.client().share())
          .addKeyValue("question", query.question())
          .addKeyValue("rows", query.reads().rows())
          .addKeyValue("bytes", query.reads().bytes())
          .addKeyValue("ms", millis)
          .addKeyValue("outcome", outcome)
          .log("slow query");
    }
  }

  /** Returns the queries under way, the oldest first. */
  List<RunningQuery> all() {
    return running.values().stream().sorted(Comparator.comparing(RunningQuery::since)).toList();
  }

  /** Returns the query of this name; null if none is under way. */
  @Nullable RunningQuery named(String id) {
    return running.get(id);
  }
}
