package hourglass.query.erasure;

import hourglass.bucketing.TimeUuid;
import hourglass.query.erasure.TokenException.Why;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The dry runs that may still become erasures, each under a random token for the client that asked
 * for it. They are in memory only, since they contain what is to be erased. Thread-safe.
 */
public final class DryRuns {
  /** The time for a person to read the samples. Later, the selection should be looked at anew. */
  public static final Duration VALID = Duration.ofMinutes(10);

  /** The most dry runs of one client; its oldest is forgotten for a new one. */
  private static final int OF_CLIENT_MAX = 16;

  /** The most dry runs of all clients. A request is at most 64 KiB, so all take up to 16 MiB. */
  private static final int ALL_MAX = 256;

  private static final int TOKEN_BYTES = 16;

  private final Clock steady;
  private final SecureRandom random = new SecureRandom();

  /** The oldest first. Guarded by this. */
  private final Map<String, DryRun> byToken = new LinkedHashMap<>();

  /** Creates an empty collection. The clock is monotonic. */
  public DryRuns(Clock steady) {
    this.steady = steady;
  }

  private enum State {
    FREE,
    /** An erasure of it is about to begin. */
    TAKEN,
    USED
  }

  /** One dry run. Guarded by the collection. */
  private static final class DryRun {
    private final Object client;
    private final Instant expires;
    private final long events;
    private @Nullable ErasureRequest request;
    private @Nullable TimeUuid id;
    private State state = State.FREE;

    private DryRun(Object client, Instant expires, ErasureRequest request, long events) {
      this.client = client;
      this.expires = expires;
      this.request = request;
      this.events = events;
    }
  }

  /**
   * A dry run that becomes an erasure.
   *
   * @param events how many it found
   */
  public record Taken(String token, ErasureRequest request, long events) {}

  /**
   * Keeps a dry run, and returns its token.
   *
   * @param client equal for all requests of one client
   */
  public synchronized String add(Object client, ErasureRequest request, long events) {
    makeRoom(client);
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    String token = HexFormat.of().formatHex(bytes);
    byToken.put(token, new DryRun(client, steady.instant().plus(VALID), request, events));
    return token;
  }

  /**
   * Forgets dry runs that have expired, since they contain what was sought, and the oldest ones.
   */
  private void makeRoom(Object client) {
    byToken.values().removeIf(run -> run.state == State.FREE && hasExpired(run));
    long own = byToken.values().stream().filter(run -> run.client.equals(client)).count();
    Iterator<DryRun> oldest = byToken.values().iterator();
    while (oldest.hasNext() && (own >= OF_CLIENT_MAX || byToken.size() >= ALL_MAX)) {
      boolean isOwn = oldest.next().client.equals(client);
      if (isOwn || own < OF_CLIENT_MAX) {
        oldest.remove();
        own -= isOwn ? 1 : 0;
      }
    }
  }

  private boolean hasExpired(DryRun run) {
    return !steady.instant().isBefore(run.expires);
  }

  /**
   * Takes a dry run, which cannot be taken again until {@link #giveBack}.
   *
   * @throws TokenException if the token opens none
   */
  public synchronized Taken take(Object client, String token) {
    DryRun run = byToken.get(token);
    if (run == null || !run.client.equals(client)) {
      throw new TokenException(
          Why.UNKNOWN, "token: no dry run of this key has it; want that of a new dry run");
    }
    if (run.state != State.FREE) {
      throw new TokenException(
          Why.USED,
          run.id == null
              ? "token: an erasure with it is about to begin"
              : "token: used for the erasure " + run.id);
    }
    ErasureRequest request = run.request;
    if (request == null || hasExpired(run)) {
      run.request = null;
      throw new TokenException(
          Why.EXPIRED,
          "token: expired after %d minutes; want that of a new dry run"
              .formatted(VALID.toMinutes()));
    }
    run.state = State.TAKEN;
    return new Taken(token, request, run.events);
  }

  /** Notes the id of the erasure that is about to begin, for a client that loses the answer. */
  public synchronized void begins(Taken taken, TimeUuid id) {
    DryRun run = byToken.get(taken.token());
    if (run != null) {
      run.id = id;
    }
  }

  /** Lets a dry run be taken again, since its erasure did not begin. */
  public synchronized void giveBack(Taken taken) {
    DryRun run = byToken.get(taken.token());
    if (run != null) {
      run.state = State.FREE;
      run.id = null;
    }
  }

  /** Forgets the request of an erasure that has begun, or may have. */
  public synchronized void use(Taken taken) {
    DryRun run = byToken.get(taken.token());
    if (run != null) {
      run.state = State.USED;
      run.request = null;
    }
  }
}
