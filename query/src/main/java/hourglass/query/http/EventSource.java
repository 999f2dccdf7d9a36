package hourglass.query.http;

import hourglass.access.Quota;
import hourglass.http.ProblemJson;
import hourglass.query.Chunk;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A tail as server-sent events in a response. */
final class EventSource implements TailConnection {
  /**
   * The last event of a tail that gave its place to another client. It has no id, so that the
   * client reconnects with the last id that it received.
   */
  private static final String CROWDED_OUT = "retry: 10000\nevent: crowded_out\ndata: %s\n\n";

  private final RoutingContext ctx;
  private final HttpServerResponse response;
  private final Context context;
  private final ResponseWriter writer;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile Runnable gone = () -> {};
  private volatile @Nullable Consumer<Chunk> onWritten;

  EventSource(RoutingContext ctx, Quota quota) {
    this.ctx = ctx;
    response = ctx.response();
    context = ctx.vertx().getOrCreateContext();
    writer =
        new ResponseWriter(
            ctx, context, AnswerHead.TAIL, quota, ended::get, this::written, outcome -> gone.run());
  }

  @Override
  public void onGone(Runnable isGone) {
    gone = isGone;
    response.closeHandler(closed -> isGone.run());
    response.exceptionHandler(failure -> isGone.run());
  }

  @Override
  public void begin() {
    writer.begin(BodyCoding.IDENTITY);
  }

  @Override
  public void write(Chunk chunk, Consumer<Chunk> back) {
    onWritten = back;
    writer.write(List.of(chunk));
  }

  private void written(Chunk chunk) {
    Consumer<Chunk> back = onWritten;
    if (back != null) {
      back.accept(chunk);
    }
  }

  @Override
  public void ping() {
    // a heartbeat is an event of the tail
  }

  @Override
  public void end(Failure failure) {
    end(
        failure,
        () -> {
          if (failure.outcome().equals(TailStream.CROWDED_OUT)) {
            response.end(CROWDED_OUT.formatted(ProblemJson.of(failure.status(), failure.detail())));
          } else {
            response.end();
          }
        });
  }

  @Override
  public void cut(Failure failure) {
    end(failure, () -> Failure.cut(ctx));
  }

  private void end(Failure failure, Runnable ifBegun) {
    ended.set(true);
    context.runOnContext(
        ignored -> {
          if (response.headWritten()) {
            ifBegun.run();
          } else {
            writer.fail(failure);
          }
        });
  }
}
