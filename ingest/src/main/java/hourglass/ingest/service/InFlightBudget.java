package hourglass.ingest.service;

import hourglass.ingest.decode.Memory;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all requests hold together, from the first byte of a body to its answer. It is
 * reserved before use. Thread-safe.
 *
 * <pre>
 * 0 |---------- any request ----------|-- requests that hold little --| max
 * </pre>
 *
 * <p>Clients have equal shares, which count only while memory is short. Then slow bodies lose their
 * memory first, and next the bodies of clients above their share. While a refused client may retry,
 * no other client starts a request beyond its share.
 */
public final class InFlightBudget {
  /** The time after which a refused request may be sent again. */
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /** The memory of a usual small push, with its events. */
  private static final long SMALL_BYTES = 1 << 20;

  /** The rate below which a body blocks memory rather than uses it. */
  private static final long SLOW_BYTES_PER_SECOND = 128 << 10;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The time for a retry: twice the {@code Retry-After} of a refusal, so that the retry finds the
   * client's share.
   */
  private static final long RETRY_NANOS = 2 * SECOND_NANOS;

  private static final int REFUSED_CLIENTS_MAX = 1_000;

  private final long max;
  private final long largeMax;
  private final LongSupplier nanos;
  private final Object lock = new Object();

  // The lock guards all fields below.
  private long used;
  private final Set<Reservation> holders = new LinkedHashSet<>();

  /** The times until which refused clients may retry. */
  private final Map<Object, Long> refusedUntil = new HashMap<>();

  /**
   * Creates a budget. A large request may grow only while all together stay within {@code
   * largeMax}.
   */
  InFlightBudget(long max, long largeMax, LongSupplier nanos) {
    this.max = max;
    this.largeMax = largeMax;
    this.nanos = nanos;
  }

  public long used() {
    synchronized (lock) {
      return used;
    }
  }

  public Reservation reservation(Object client) {
    return new Reservation(client);
  }

  /** The memory of one request. Thread-safe. A released reservation stays released. */
  public final class Reservation implements Memory {
    private final Object client;

    // The lock guards all fields below.
    private long heldBytes;
    private boolean released;
    private @Nullable Runnable onRevoke;
    private long littleBytes;

    /**
     * The time at which the current second began. The bytes of this second and of the one before
     * show the rate; the first second is not judged.
     */
    private long secondBegan = nanos.getAsLong();

    private long inSecond;
    private long inSecondBefore = Long.MAX_VALUE;

    private Reservation(Object client) {
      this.client = client;
    }

    /** Lets other requests take this memory. They call {@code onRevoked} then, on any thread. */
    public void allowRevoke(Runnable onRevoked) {
      allowRevoke(0, onRevoked);
    }

    /**
     * Lets other requests take this memory as {@link #allowRevoke(Runnable)} does. While this holds
     * no more than {@code littleBytes}, it does not count as slow, and loses the memory only if its
     * client is above its share.
     */
    public void allowRevoke(long littleBytes, Runnable onRevoked) {
      synchronized (lock) {
        this.littleBytes = littleBytes;
        onRevoke = onRevoked;
      }
    }

    /** Ends {@link #allowRevoke}. Returns false if the memory has already been taken. */
    public boolean forbidRevoke() {
      synchronized (lock) {
        onRevoke = null;
        return !released;
      }
    }

    /** Returns whether a request of about so many bytes may start. */
    public boolean mayBegin(long bytes) {
      long now = nanos.getAsLong();
      synchronized (lock) {
        if (isBeyondShare(client, bytes, now)) {
          return false;
        }
      }
      return makeRoom(this, bytes, now);
    }

    /**
     * Reserves more memory. Returns false, and changes nothing, if there is no room or this is
     * released.
     */
    @Override
    public boolean add(long bytes) {
      long now = nanos.getAsLong();
      return tryAdd(bytes, now) || makeRoom(this, bytes, now) && tryAdd(bytes, now);
    }

    /**
     * Returns the exception for a lack of room. A request that alone holds most of the memory is
     * too large, since no repeat of it would fit.
     */
    @Override
    public RuntimeException tooMuch() {
      synchronized (lock) {
        if (heldBytes > largeMax / 2) {
          return tooLarge(
              "body: it and its events take more than "
                  + largeMax / 2
                  + " bytes of memory; send it in parts");
        }
      }
      return new OverloadedException("too many bytes in flight", RETRY_AFTER);
    }

    @Override
    public RuntimeException tooLarge(String problem) {
      return new TooLargeException(problem);
    }

    private boolean tryAdd(long bytes, long now) {
      synchronized (lock) {
        if (released || !hasRoom(bytes)) {
          return false;
        }
        used += bytes;
        heldBytes += bytes;
        measure(bytes, now);
        if (holders.add(this)) {
          refusedUntil.remove(client);
        }
        return true;
      }
    }

    private boolean hasRoom(long bytes) {
      return used + bytes <= (heldBytes + bytes <= SMALL_BYTES ? max : largeMax);
    }

    private void measure(long bytes, long now) {
      if (now - secondBegan >= SECOND_NANOS) {
        inSecondBefore = inLastSecond(now);
        inSecond = 0;
        secondBegan = now;
      }
      inSecond += bytes;
    }

    private long inLastSecond(long now) {
      long passed = now - secondBegan;
      if (passed >= 2 * SECOND_NANOS) {
        return 0;
      }
      return passed >= SECOND_NANOS ? inSecond : inSecondBefore;
    }

    private boolean isSlow(long now) {
      return heldBytes > littleBytes && inLastSecond(now) < SLOW_BYTES_PER_SECOND;
    }

    @Override
    public void subtract(long bytes) {
      synchronized (lock) {
        if (!released) {
          heldBytes -= bytes;
          used -= bytes;
        }
      }
    }

    public void release() {
      synchronized (lock) {
        if (!released) {
          released = true;
          onRevoke = null;
          used -= heldBytes;
          holders.remove(this);
        }
      }
    }
  }

  /** Revokes other reservations until this one has room; records a refusal if it gets none. */
  private boolean makeRoom(Reservation wants, long bytes, long now) {
    List<Runnable> revoked;
    boolean hasRoom;
    synchronized (lock) {
      if (wants.released || wants.hasRoom(bytes)) {
        return !wants.released;
      }
      revoked = new ArrayList<>();
      for (Reservation victim : victims(wants, now)) {
        if (!wants.hasRoom(bytes)) {
          revoked.add(Objects.requireNonNull(victim.onRevoke));
          victim.release();
        }
      }
      hasRoom = wants.hasRoom(bytes);
      if (!hasRoom && refusedUntil.size() < REFUSED_CLIENTS_MAX) {
        refusedUntil.put(wants.client, now + RETRY_NANOS);
      }
    }
    revoked.forEach(Runnable::run);
    return hasRoom;
  }

  /**
   * Returns the revocable reservations: slow ones, then those of clients above their share; the
   * largest first.
   */
  private List<Reservation> victims(Reservation wants, long now) {
    Map<Object, Long> byClient = byClient();
    long mine = byClient.merge(wants.client, 0L, Long::sum);
    long share = max / byClient.size();
    return holders.stream()
        .filter(held -> held != wants && held.onRevoke != null)
        .filter(
            held -> {
              long theirs = byClient.getOrDefault(held.client, 0L);
              boolean isMine = held.client.equals(wants.client);
              return held.isSlow(now)
                  ? isMine || theirs > mine
                  : !isMine && theirs > share && mine < share;
            })
        .sorted(
            Comparator.comparing((Reservation held) -> !held.isSlow(now))
                .thenComparing(held -> -held.heldBytes))
        .toList();
  }

  private Map<Object, Long> byClient() {
    Map<Object, Long> byClient = new HashMap<>();
    holders.forEach(held -> byClient.merge(held.client, held.heldBytes, Long::sum));
    return byClient;
  }

  /** Returns whether a client must leave room for refused clients that hold less. */
  private boolean isBeyondShare(Object client, long bytes, long now) {
    refusedUntil.values().removeIf(until -> until - now < 0);
    if (refusedUntil.isEmpty()) {
      return false;
    }
    Map<Object, Long> byClient = byClient();
    long mine = byClient.getOrDefault(client, 0L);
    boolean othersWait =
        refusedUntil.keySet().stream().anyMatch(of -> byClient.getOrDefault(of, 0L) < mine);
    Set<Object> clients = new HashSet<>(byClient.keySet());
    clients.addAll(refusedUntil.keySet());
    clients.add(client);
    return othersWait && mine + bytes > max / clients.size();
  }
}
