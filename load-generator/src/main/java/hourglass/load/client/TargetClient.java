package hourglass.load.client;

import hourglass.access.Failures;
import hourglass.command.AccessOptions;
import hourglass.load.command.Figures;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import hourglass.load.event.LineSplitter;
import hourglass.load.event.Lines;
import hourglass.load.event.Mapping;
import hourglass.load.event.StoredEvent;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client of the targets over HTTP/1.1. All methods block and are thread-safe. One event loop uses
 * 0.2 CPU seconds for a million events; a second one does not make it cheaper.
 */
public final class TargetClient implements Destination {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final String COMPLETE = "hourglass-complete";

  private final Vertx vertx;

  /**
   * The context in which answers are handled. In another one, an answer could end before its
   * handlers are set.
   */
  private final Context context;

  private final HttpClient client;
  private final List<URI> pushTargets;
  private final URI queryTarget;
  private final Duration timeout;
  private final @Nullable String secret;

  /**
   * Creates a client of some targets.
   *
   * @param queryTarget the server from which events are read back
   * @param connections the most connections to each target
   * @param timeout the time without a byte from the target after which a request has failed
   * @param caFile the certificates to trust under https; null to trust what Java trusts
   * @param secret the secret of the key that each request contains; null for none
   */
  public TargetClient(
      List<URI> pushTargets,
      URI queryTarget,
      int connections,
      Duration timeout,
      @Nullable Path caFile,
      @Nullable String secret) {
    this.pushTargets = List.copyOf(pushTargets);
    this.queryTarget = queryTarget;
    this.timeout = timeout;
    this.secret = secret;
    // Parts of answers are handled on the event loop, which may be busy for that long.
    VertxOptions oneLoop =
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setMaxEventLoopExecuteTimeUnit(TimeUnit.NANOSECONDS)
            .setMaxEventLoopExecuteTime(timeout.toNanos());
    this.vertx = Vertx.vertx(oneLoop);
    this.context = vertx.getOrCreateContext();
    HttpClientOptions options = new HttpClientOptions().setMaxChunkSize(CHUNK_BYTES);
    if (caFile != null) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(caFile.toString()));
    }
    this.client = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(connections));
  }

  @Override
  public PushAnswer push(Batch batch, String query, @Nullable String idempotencyKey, int turn) {
    URI target = pushTargets.get(Math.floorMod(turn, pushTargets.size()));
    RequestOptions options =
        options(target, HttpMethod.POST, "/api/v1/events" + query)
            .putHeader("content-type", batch.contentType());
    if (idempotencyKey != null) {
      options.putHeader("idempotency-key", idempotencyKey);
    }
    if (batch.isEncoded()) {
      options.putHeader("content-encoding", "gzip");
    }
    AtomicBoolean connected = new AtomicBoolean();
    CompletableFuture<PushAnswer> answer = new CompletableFuture<>();
    context.runOnContext(
        start ->
            client
                .request(options)
                .onSuccess(request -> connected.set(true))
                .compose(request -> request.send(batch.body()))
                .compose(response -> response.body().map(body -> answer(response, body.getBytes())))
                .onSuccess(answer::complete)
                .onFailure(cause -> answer.complete(failure(cause, connected.get()))));
    return answer.join();
  }

  private static PushAnswer answer(HttpClientResponse response, byte[] body) {
    int status = response.statusCode();
    PushAnswer verdict = status == 200 || status == 400 ? PushAnswer.Verdict.read(body) : null;
    if (verdict != null) {
      return verdict;
    }
    String remedy = status == 401 ? "; " + AccessOptions.KEY_REMEDY : "";
    String detail = problem(body) + remedy;
    return PushAnswer.Failure.ofStatus(status, response.getHeader("retry-after"), detail);
  }

  private static PushAnswer failure(Throwable cause, boolean connected) {
    if (!connected) {
      return PushAnswer.Failure.notSent(detail(cause));
    }
    String kind = cause instanceof TimeoutException ? "timeout" : "connection cut";
    return PushAnswer.Failure.ambiguous(kind, detail(cause));
  }

  List<URI> pushTargets() {
    return pushTargets;
  }

  /** Reads an answer of the query target; see {@link #text(URI, String)}. */
  public String text(String pathAndQuery) {
    return text(queryTarget, pathAndQuery);
  }

  /**
   * Returns a whole answer as text.
   *
   * @throws LoadFailure if its status is not 200, or it is larger than the limit of an answer
   */
  public String text(URI target, String pathAndQuery) {
    Buffer whole = Buffer.buffer();
    stream(
        target,
        pathAndQuery,
        part -> {
          if (whole.length() + part.length() > LoadLimits.ANSWER_BYTES_MAX) {
            throw new LoadFailure("GET " + pathAndQuery + ": the answer is too large");
          }
          whole.appendBuffer(part);
        });
    return whole.toString(StandardCharsets.UTF_8);
  }

  /** Returns the number of events of each type, as {@code /types} counts them. */
  public Map<String, Long> typeCounts(String range) {
    Map<String, Long> counts = new TreeMap<>();
    figures("/api/v1/types?" + range)
        .objects("types")
        .forEach(type -> counts.put(type.text("type"), (long) type.number("count")));
    return counts;
  }

  /**
   * Returns a whole answer as JSON.
   *
   * @throws LoadFailure if its status is not 200, or it is not JSON
   */
  public Figures figures(String pathAndQuery) {
    try {
      return Figures.parse(text(pathAndQuery).getBytes(StandardCharsets.UTF_8));
    } catch (DecodeException e) {
      throw new LoadFailure("GET %s: not JSON: %s".formatted(pathAndQuery, e.getMessage()), e);
    }
  }

  /**
   * Passes on the events of an answer in NDJSON. Returns false if the answer declares itself
   * incomplete.
   *
   * @throws LoadFailure as for {@link #stream}, or if a line is not an event
   */
  public boolean events(String pathAndQuery, Mapping mapping, Consumer<StoredEvent> events) {
    Mapping.Extractor payload = mapping.extractor();
    LineSplitter lines =
        new LineSplitter(
            (bytes, from, to) -> {
              if (!Lines.isBlank(bytes, from, to)) {
                events.accept(StoredEvent.read(bytes, from, to, payload));
              }
            });
    boolean complete = stream(pathAndQuery, lines);
    if (lines.cutOff()) {
      throw new LoadFailure(
          "GET %s: the answer ended in the middle of a line".formatted(pathAndQuery));
    }
    return complete;
  }

  /** Counts the lines of an answer of any length. */
  public long lines(String pathAndQuery) {
    AtomicLong lines = new AtomicLong();
    stream(pathAndQuery, new LineSplitter((bytes, from, to) -> lines.incrementAndGet()));
    return lines.get();
  }

  /** Reads an answer of the query target; see {@link #stream(URI, String, Consumer)}. */
  public boolean stream(String pathAndQuery, Consumer<Buffer> parts) {
    return stream(queryTarget, pathAndQuery, parts);
  }

  /**
   * Passes an answer on in parts, on another thread but in order. Returns false if the answer
   * declares itself incomplete.
   *
   * @throws LoadFailure if its status is not 200, it broke off, or {@code parts} failed
   */
  private boolean stream(URI target, String pathAndQuery, Consumer<Buffer> parts) {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    context.runOnContext(
        start ->
            client
                .request(options(target, HttpMethod.GET, pathAndQuery))
                .compose(HttpClientRequest::send)
                .compose(response -> receive(response, parts, end))
                .onFailure(end::completeExceptionally));
    try {
      return end.join();
    } catch (CompletionException e) {
      Throwable cause = Failures.cause(e);
      if (cause instanceof LoadFailure failure) {
        throw failure;
      }
      throw new LoadFailure("GET %s: %s".formatted(pathAndQuery, detail(cause)), cause);
    }
  }

  private static Future<Void> receive(
      HttpClientResponse response, Consumer<Buffer> parts, CompletableFuture<Boolean> end) {
    if (response.statusCode() != 200) {
      return response
          .body()
          .compose(
              body ->
                  Future.failedFuture(
                      "status " + response.statusCode() + ": " + excerpt(body.getBytes())));
    }
    response.handler(
        part -> {
          try {
            if (!end.isDone()) {
              parts.accept(part);
            }
          } catch (RuntimeException e) {
            end.completeExceptionally(e);
            response.request().reset();
          }
        });
    response.exceptionHandler(end::completeExceptionally);
    return response
        .end()
        .onSuccess(
            done ->
                end.complete(
                    Stream.of(response.headers(), response.trailers())
                        .noneMatch(fields -> fields.contains(COMPLETE, "false", true))));
  }

  private RequestOptions options(URI target, HttpMethod method, String pathAndQuery) {
    String prefix = Objects.requireNonNullElse(target.getPath(), "");
    RequestOptions options =
        new RequestOptions()
            .setMethod(method)
            .setHost(target.getHost())
            .setPort(target.getPort() < 0 ? (isSecure(target) ? 443 : 80) : target.getPort())
            .setSsl(isSecure(target))
            .setURI(prefix.replaceFirst("/$", "") + pathAndQuery)
            .setConnectTimeout(Math.min(timeout.toMillis(), 5_000))
            .setIdleTimeout(timeout.toMillis());
    return secret == null ? options : options.putHeader("authorization", "Bearer " + secret);
  }

  static boolean isSecure(URI target) {
    return "https".equals(target.getScheme());
  }

  private static String detail(Throwable cause) {
    return Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
  }

  /** Returns the detail of a problem (RFC 9457), or the beginning of any other body. */
  private static String problem(byte[] body) {
    try {
      String detail = Figures.parse(body).text("detail");
      return detail.isEmpty() ? excerpt(body) : detail;
    } catch (DecodeException notJson) {
      return excerpt(body);
    }
  }

  private static String excerpt(byte[] body) {
    String text = new String(body, 0, Math.min(body.length, 300), StandardCharsets.UTF_8);
    return text.replace('\n', ' ').strip();
  }

  @Override
  public void close() {
    client.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
