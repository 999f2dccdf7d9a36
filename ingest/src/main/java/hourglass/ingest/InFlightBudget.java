package hourglass.ingest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all requests hold together, from a body's first byte to its answer; reserved
 * before use. Thread-safe.
 *
 * <pre>
 * 0 |---------- any request ----------|-- requests that hold little --| max
 * </pre>
 *
 * <p>Clients have equal shares, which count only while memory is short. Then slow bodies lose their
 * memory first, and next the bodies of clients above their share. While a refused client may retry,
 * no other starts a request beyond its share.
 */
public final class InFlightBudget {
  /** The memory of a usual small push, with its events. */
  private static final long SMALL_BYTES = 1 << 20;

  /** A slower body blocks memory rather than uses it. */
  private static final long SLOW_BYTES_PER_SECOND = 128 << 10;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Twice the {@code Retry-After} of a refusal, so that a retry finds the client's share. */
  private static final long RETRY_NANOS = 2 * SECOND_NANOS;

  private static final int REFUSED_CLIENTS_MAX = 1_000;

  private final long max;
  private final long largeMax;
  private final LongSupplier nanos;
  private final AtomicLong used = new AtomicLong();

  /** Guarded by itself. No thread takes this lock and a reservation's lock at once. */
  private final Set<Reservation> holders = new LinkedHashSet<>();

  /** The deadlines of retries. Guarded by {@link #holders}. */
  private final Map<Object, Long> refusedUntil = new HashMap<>();

  private volatile boolean hasRefused;

  /** A budget without a part for small requests. */
  public InFlightBudget(long max) {
    this(max, max, System::nanoTime);
  }

  /** A large request may grow only while all together stay within {@code largeMax}. */
  InFlightBudget(long max, long largeMax, LongSupplier nanos) {
    this.max = max;
    this.largeMax = largeMax;
    this.nanos = nanos;
  }

  public long used() {
    return used.get();
  }

  public Reservation reservation(Object client) {
    return new Reservation(client);
  }

  /** The memory of one request. Thread-safe. A released reservation stays released. */
  public final class Reservation {
    private final Object client;

    // Guarded by this:
    private long heldBytes;
    private boolean released;
    private @Nullable Runnable onRevoke;

    private boolean listed;

    /** Bytes of this second and of the one before, which is null in the first second. */
    private long secondBegan = nanos.getAsLong();

    private long inSecond;
    private @Nullable Long inSecondBefore;

    private Reservation(Object client) {
      this.client = client;
    }

    /** Lets other requests take this memory. Then {@code onRevoked} is called, on any thread. */
    public synchronized void allowRevoke(Runnable onRevoked) {
      onRevoke = onRevoked;
    }

    /** Ends {@link #allowRevoke}; false if the memory is already taken. */
    public synchronized boolean forbidRevoke() {
      onRevoke = null;
      return !released;
    }

    /** Whether a request of about so many bytes may start. */
    public boolean mayBegin(long bytes) {
      if (hasRefused && isBeyondShare(client, bytes)) {
        return false;
      }
      return bytes <= room(bytes) || makeRoom(this, bytes);
    }

    /** Reserves more; false, with no change, if there is no room or this is released. */
    public boolean add(long bytes) {
      if (tryAdd(bytes)) {
        return true;
      }
      synchronized (this) {
        if (released) {
          return false;
        }
      }
      return makeRoom(this, bytes) && tryAdd(bytes);
    }

    private boolean tryAdd(long bytes) {
      boolean isNew;
      synchronized (this) {
        if (released) {
          return false;
        }
        if (used.addAndGet(bytes) > limit(heldBytes + bytes)) {
          used.addAndGet(-bytes);
          return false;
        }
        heldBytes += bytes;
        measure(bytes);
        isNew = !listed;
        listed = true;
      }
      if (isNew) {
        list(this);
      }
      return true;
    }

    private void measure(long bytes) {
      long now = nanos.getAsLong();
      if (now - secondBegan >= SECOND_NANOS) {
        inSecondBefore = inLastSecond(now);
        inSecond = 0;
        secondBegan = now;
      }
      inSecond += bytes;
    }

    private @Nullable Long inLastSecond(long now) {
      long passed = now - secondBegan;
      if (passed >= 2 * SECOND_NANOS) {
        return 0L;
      }
      return passed >= SECOND_NANOS ? Long.valueOf(inSecond) : inSecondBefore;
    }

    private synchronized boolean isSlow() {
      Long last = inLastSecond(nanos.getAsLong());
      return last != null && last < SLOW_BYTES_PER_SECOND;
    }

    private synchronized long heldBytes() {
      return heldBytes;
    }

    private synchronized boolean isRevocable() {
      return onRevoke != null;
    }

    public synchronized void subtract(long bytes) {
      if (!released) {
        heldBytes -= bytes;
        used.addAndGet(-bytes);
      }
    }

    public void release() {
      synchronized (this) {
        free();
      }
      unlist();
    }

    /** Needs the lock of this; {@link #unlist} must follow without it. */
    private void free() {
      if (!released) {
        released = true;
        onRevoke = null;
        used.addAndGet(-heldBytes);
      }
    }

    private void unlist() {
      synchronized (holders) {
        holders.remove(this);
      }
    }

    private void revoke() {
      Runnable call;
      synchronized (this) {
        call = onRevoke;
        if (call != null) {
          free();
        }
      }
      if (call != null) {
        unlist();
        call.run();
      }
    }
  }

  private long limit(long mine) {
    return mine <= SMALL_BYTES ? max : largeMax;
  }

  private long room(long bytes) {
    return limit(bytes) - used.get();
  }

  private void list(Reservation reservation) {
    synchronized (holders) {
      holders.add(reservation);
      if (hasRefused) {
        refusedUntil.remove(reservation.client);
        hasRefused = !refusedUntil.isEmpty();
      }
    }
    synchronized (reservation) {
      if (!reservation.released) {
        return;
      }
    }
    synchronized (holders) {
      holders.remove(reservation); // released meanwhile
    }
  }

  private boolean makeRoom(Reservation wants, long bytes) {
    long wanted = wants.heldBytes() + bytes;
    for (Reservation victim : victims(wants.client)) {
      if (used.get() + bytes <= limit(wanted)) {
        break;
      }
      if (victim != wants) {
        victim.revoke();
      }
    }
    boolean hasRoom = used.get() + bytes <= limit(wanted);
    if (!hasRoom) {
      recordRefusal(wants.client);
    }
    return hasRoom;
  }

  /** Revocable reservations: slow ones, then those of clients above their share; largest first. */
  private List<Reservation> victims(Object client) {
    List<Reservation> all;
    synchronized (holders) {
      all = new ArrayList<>(holders);
    }
    Map<Object, Long> byClient = byClient(all);
    long mine = byClient.getOrDefault(client, 0L);
    long share = max / (byClient.size() + (byClient.containsKey(client) ? 0 : 1));
    List<Reservation> victims = new ArrayList<>();
    List<Reservation> slow = new ArrayList<>();
    for (Reservation reservation : all) {
      long theirs = byClient.getOrDefault(reservation.client, 0L);
      boolean isMine = reservation.client.equals(client);
      if (!reservation.isRevocable()) {
        continue;
      }
      if (reservation.isSlow() && (isMine || theirs > mine)) {
        slow.add(reservation);
      } else if (!isMine && theirs > share && mine < share) {
        victims.add(reservation);
      }
    }
    Comparator<Reservation> largestFirst =
        Comparator.comparingLong((Reservation reservation) -> reservation.heldBytes()).reversed();
    slow.sort(largestFirst);
    victims.sort(largestFirst);
    slow.addAll(victims);
    return slow;
  }

  private static Map<Object, Long> byClient(List<Reservation> all) {
    Map<Object, Long> byClient = new HashMap<>();
    all.forEach(held -> byClient.merge(held.client, held.heldBytes(), Long::sum));
    return byClient;
  }

  private void recordRefusal(Object client) {
    synchronized (holders) {
      if (refusedUntil.size() < REFUSED_CLIENTS_MAX) {
        refusedUntil.put(client, nanos.getAsLong() + RETRY_NANOS);
        hasRefused = true;
      }
    }
  }

  /** Whether a client must leave room for refused ones that hold less. */
  private boolean isBeyondShare(Object client, long bytes) {
    List<Reservation> all;
    Set<Object> clients;
    synchronized (holders) {
      long now = nanos.getAsLong();
      refusedUntil.values().removeIf(until -> until - now < 0);
      hasRefused = !refusedUntil.isEmpty();
      all = new ArrayList<>(holders);
      clients = new LinkedHashSet<>(refusedUntil.keySet());
    }
    Map<Object, Long> byClient = byClient(all);
    long mine = byClient.getOrDefault(client, 0L);
    boolean othersWait =
        clients.stream()
            .anyMatch(other -> !other.equals(client) && byClient.getOrDefault(other, 0L) < mine);
    clients.addAll(byClient.keySet());
    clients.add(client);
    return othersWait && mine + bytes > max / clients.size();
  }
}
