package hourglass.program.fairness;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.OutputStream;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes one kind of noise from an address of its own until its input ends. Then it prints how many
 * answers of each status it got.
 */
final class NoisyClient {
  /** The line that it prints once its first requests are on their way. */
  static final String BEGUN = "begun";

  private static final String ADDRESS = "127.0.0.2";

  /** How often a slow reader takes a buffer. */
  private static final long SLOW_MILLIS = 200;

  private final Vertx vertx;
  private final HttpClient client;
  private final URI server;
  private final Noise noise;
  private final AtomicLong number = new AtomicLong(ThreadLocalRandom.current().nextInt());
  private final Map<Integer, AtomicLong> answers = new ConcurrentHashMap<>();

  private NoisyClient(Vertx vertx, HttpClient client, URI server, Noise noise) {
    this.vertx = vertx;
    this.client = client;
    this.server = server;
    this.noise = noise;
  }

  /** Arguments: the address of a server, and the name of a {@link Noise}. */
  public static void main(String[] args) throws Exception {
    Noise noise = Noise.valueOf(args[1]);
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    HttpClientOptions options =
        new HttpClientOptions().setLocalAddress(ADDRESS).setReceiveBufferSize(64 << 10);
    PoolOptions pool = new PoolOptions().setHttp1MaxSize(Math.max(1, noise.connections()));
    NoisyClient client =
        new NoisyClient(vertx, vertx.createHttpClient(options, pool), URI.create(args[0]), noise);
    for (int i = 0; i < noise.connections(); i++) {
      client.again();
    }
    System.out.println(BEGUN);
    System.in.transferTo(OutputStream.nullOutputStream());
    System.out.println(new TreeMap<>(client.answers));
    Runtime.getRuntime().halt(0);
  }

  private void again() {
    Noise.Request made = noise.request(number.getAndIncrement());
    RequestOptions options =
        new RequestOptions()
            .setHost(server.getHost())
            .setPort(server.getPort())
            .setURI(made.path())
            .setMethod(made.body().isEmpty() ? HttpMethod.GET : HttpMethod.POST)
            .putHeader("Content-Type", "application/x-ndjson");
    client
        .request(options)
        .compose(request -> request.send(made.body()).compose(answer -> read(made, answer)))
        .onComplete(done -> again(), failure -> count(0));
  }

  private Future<Void> read(Noise.Request made, HttpClientResponse answer) {
    count(answer.statusCode());
    if (made.isReadSlowly()) {
      answer.pause();
      long timer = vertx.setPeriodic(SLOW_MILLIS, id -> answer.fetch(1));
      return answer.end().onComplete(ended -> vertx.cancelTimer(timer));
    }
    return answer.handler(bytes -> {}).end();
  }

  private void count(int status) {
    answers.computeIfAbsent(status, first -> new AtomicLong()).incrementAndGet();
    if (status == 0) {
      vertx.runOnContext(next -> again());
    }
  }
}
