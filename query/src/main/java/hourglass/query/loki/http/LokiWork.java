package hourglass.query.loki.http;

import hourglass.query.Counted;
import hourglass.query.EventQuery;
import hourglass.query.EventTaker;
import hourglass.query.Selection;
import hourglass.query.TypeCount;
import hourglass.query.fair.QueryThread;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.http.PartsStream;
import hourglass.query.http.PreparedQuery.Work;
import hourglass.query.service.QueryService;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The work of a request: questions to the query service, whose answers become parts of JSON. */
final class LokiWork {
  private LokiWork() {}

  /** Returns work that asks for a value. */
  static <T> Work of(
      Selection selection,
      boolean readsPayloads,
      BiFunction<QueryService, QueryThread, Counted<T>> ask,
      Function<Counted<T>, Iterator<Part>> toParts) {
    return new Work(
        selection,
        readsPayloads,
        on -> {
          on.check(selection); // also if it meets no event
          return new PartsStream<>(on, ask, toParts, Counted::facts);
        });
  }

  /** Returns work that reads lines and gathers something from them. */
  static <T extends EventTaker> Work read(
      EventQuery events,
      Function<QueryService, T> gatherer,
      Function<Counted<T>, Iterator<Part>> toParts) {
    return of(
        events.selection(),
        true,
        (on, thread) -> {
          T taker = gatherer.apply(on);
          return new Counted<>(taker, on.read(events, taker, thread));
        },
        toParts);
  }

  /** Joins the types and another value, with the facts of both. */
  static <T, R> Counted<R> join(
      Counted<List<TypeCount>> types, Counted<T> found, BiFunction<List<TypeCount>, T, R> join) {
    return new Counted<>(
        join.apply(types.value(), found.value()), types.facts().and(found.facts()));
  }
}
