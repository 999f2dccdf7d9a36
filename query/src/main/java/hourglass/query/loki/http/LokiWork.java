package hourglass.query.loki.http;

import hourglass.query.Counted;
import hourglass.query.EventQuery;
import hourglass.query.EventTaker;
import hourglass.query.Selection;
import hourglass.query.TypeCount;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.http.PartsStream;
import hourglass.query.http.PreparedQuery.Work;
import hourglass.query.service.QueryService;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** The work of a request: questions to the query service, whose answers become parts of JSON. */
final class LokiWork {
  private LokiWork() {}

  /** Returns work that asks for a value. */
  static <T> Work of(
      Selection selection,
      boolean readsPayloads,
      Function<QueryService, CompletionStage<Counted<T>>> ask,
      Function<Counted<T>, Iterator<Part>> toParts) {
    return new Work(
        selection,
        readsPayloads,
        on -> {
          on.check(selection); // also if it meets no event
          return new PartsStream<>(ask.apply(on), toParts, Counted::facts);
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
        on -> {
          T taker = gatherer.apply(on);
          return on.read(events, taker).thenApply(facts -> new Counted<>(taker, facts));
        },
        toParts);
  }

  /** Reads the types, and then the other value. */
  static <T, R> CompletionStage<Counted<R>> withTypes(
      QueryService on,
      Selection selection,
      Supplier<CompletionStage<Counted<T>>> more,
      BiFunction<List<TypeCount>, T, R> join) {
    return on.types(selection, false)
        .thenCompose(
            types ->
                more.get()
                    .thenApply(
                        found ->
                            new Counted<>(
                                join.apply(types.value(), found.value()),
                                types.facts().and(found.facts()))));
  }
}
