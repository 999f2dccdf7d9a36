package hourglass.load.send;

import hourglass.command.Range;
import hourglass.load.command.LoadLimits;
import hourglass.load.event.Mapping;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for sending. */
public final class SendOptions {
  /** The encoding of a request's body. */
  public enum Encoding {
    none,
    gzip
  }

  @Option(names = "--connections", description = "Connections, each with one request at a time.")
  @Range("1 to " + LoadLimits.CONNECTIONS_MAX)
  public int connections = 2;

  @Option(
      names = "--batch",
      description = "Events per request, at most; a request ends at 32 MiB too.")
  @Range("1 to " + LoadLimits.BATCH_EVENTS_MAX)
  public int batch = 5000;

  @Option(names = "--rate", description = "Events per second, on a fixed schedule; 0: full speed.")
  @Range("0 or more")
  public double rate = 0;

  @Option(
      names = "--idempotency-key",
      paramLabel = "PREFIX",
      description =
          "Sends Idempotency-Key: PREFIX-n with batch n, so that a second run with the same prefix and --batch"
              + " stores nothing twice, and a cut connection is safe to retry. 'auto': a prefix by chance.")
  public @Nullable String idempotencyKey;

  @Option(names = "--content-encoding", paramLabel = "none|gzip", description = "Of the requests.")
  public Encoding encoding = Encoding.none;

  @Option(
      names = "--prepare",
      negatable = true,
      description =
          "Builds all batches in memory before the clock starts, 1 GiB or half of the heap at most."
              + " generate does by itself what fits; replay does when asked.")
  public @Nullable Boolean prepare;

  @Option(
      names = "--give-up-after",
      defaultValue = "60s",
      description = "How long one batch is tried again before the run ends.")
  public Duration giveUpAfter;

  @Option(
      names = "--verify",
      description =
          "Reads everything back: nothing lost, nothing twice, right order, payload bytes equal.")
  boolean verify;

  @Option(
      names = "--verify-exact",
      description = "The same, and any other event in the range is a fault too.")
  public boolean verifyExact;

  public void check(LoadSubcommand command) {
    command.require(
        idempotencyKey == null || !command.target.isTopic(),
        "--idempotency-key",
        idempotencyKey,
        "none for a topic: records are named by their offsets");
    if ("auto".equals(idempotencyKey)) {
      idempotencyKey = "load-" + UUID.randomUUID();
    }
    command.require(
        idempotencyKey == null || idempotencyKey.matches("[\\x21-\\x7e]{1,200}"),
        "--idempotency-key",
        idempotencyKey,
        "1 to 200 visible ASCII characters");
  }

  public SendSettings settings(Mapping mapping) {
    return new SendSettings(connections, rate, idempotencyKey, mapping, giveUpAfter);
  }

  public boolean verifies() {
    return verify || verifyExact;
  }

  public BatchSource shaped(BatchSource source, boolean prepared) throws IOException {
    BatchSource encoded = encoding == Encoding.gzip ? new GzipSource(source) : source;
    return prepared ? PreparedSource.of(encoded) : encoded;
  }

  public JsonObject figures() {
    return new JsonObject()
        .put("connections", connections)
        .put("batch_events", batch)
        .put("rate_events_per_second", rate)
        .put("idempotency_key", idempotencyKey)
        .put("content_encoding", encoding.name())
        .put("give_up_after_seconds", giveUpAfter.toMillis() / 1e3)
        .put("verify", verifies())
        .put("verify_exact", verifyExact);
  }
}
