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
 * The memory that requests may hold together, from the first byte of a body to its answer. Memory
 * is reserved before it is used, so that clients cannot take more than there is. Safe for use by
 * any number of threads.
 *
 * <pre>
 * 0 |---------- any request ----------|-- requests that hold little --| max
 * </pre>
 *
 * <p>Shares of clients bind only where there is no room. Then bodies that come slowly lose their
 * memory, and so do those of a client that holds more than its share, one after the other, until
 * there is room for one that holds less. While a client that was refused may come back, the others
 * begin no request beyond their shares.
 */
public final class InFlightBudget {
  /** What a usual small push takes, with its events. */
  private static final long LITTLE_BYTES = 1 << 20;

  /** A body that comes more slowly than this holds memory rather than uses it. */
  private static final long SLOW_BYTES_PER_SECOND = 128 << 10;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Twice as long as a client is told to wait, so that it finds its share when it comes back. */
  private static final long WANTED_NANOS = 2 * SECOND_NANOS;

  /** Clients that were refused and are remembered. */
  private static final int WANTING_MAX = 1_000;

  private final long max;
  private final long largeMax;
  private final LongSupplier nanos;
  private final AtomicLong used = new AtomicLong();

  /**
   * All that hold something. Guarded by itself; no thread takes this lock and that of a reservation
   * at a time, in either order.
   */
  private final Set<Reservation> held = new LinkedHashSet<>();

  /** Until when clients that were refused may come back. Guarded by {@link #held}. */
  private final Map<Object, Long> wanting = new HashMap<>();

  /** Whether there are such clients. */
  private volatile boolean isWanted;

  /** A budget of which requests that hold much may use all. */
  public InFlightBudget(long max) {
    this(max, max, System::nanoTime);
  }

  /**
   * @param max of all requests
   * @param largeMax as long as all together hold no more, a request may hold much
   * @param nanos a clock that nobody sets
   */
  InFlightBudget(long max, long largeMax, LongSupplier nanos) {
    this.max = max;
    this.largeMax = largeMax;
    this.nanos = nanos;
  }

  public long used() {
    return used.get();
  }

  /**
   * A reservation of nothing yet.
   *
   * @param client whose share it is; clients are equal as their values are
   */
  public Reservation reservation(Object client) {
    return new Reservation(client);
  }

  /** What one request holds. Safe for use by any number of threads; once released it stays so. */
  public final class Reservation {
    private final Object client;

    // Guarded by this:
    private long mine;
    private boolean released;
    private @Nullable Runnable onRevoke;

    /** Whether this is among those that hold something. */
    private boolean listed;

    /** What came in this second, and in the one before; null before the first is over. */
    private long secondBegan = nanos.getAsLong();

    private long inSecond;
    private @Nullable Long inSecondBefore;

    private Reservation(Object client) {
      this.client = client;
    }

    /**
     * From now on the memory may be taken back for others.
     *
     * @param revoke is called once it was; on any thread
     */
    public synchronized void lend(Runnable revoke) {
      onRevoke = revoke;
    }

    /** From now on the memory may not be taken back; false if it was. */
    public synchronized boolean keep() {
      onRevoke = null;
      return !released;
    }

    /** Whether a request may begin that will hold so much, as far as it is known now. */
    public boolean mayBegin(long bytes) {
      if (isWanted && isBeyondShare(client, bytes)) {
        return false;
      }
      return bytes <= room(bytes) || makeRoom(this, bytes);
    }

    /** Holds so much more; false, with nothing changed, if there is no room or it was released. */
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
        if (used.addAndGet(bytes) > limit(mine + bytes)) {
          used.addAndGet(-bytes);
          return false;
        }
        mine += bytes;
        note(bytes);
        isNew = !listed;
        listed = true;
      }
      if (isNew) {
        list(this);
      }
      return true;
    }

    private void note(long bytes) {
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

    private synchronized long mine() {
      return mine;
    }

    private synchronized boolean isLent() {
      return onRevoke != null;
    }

    /** Holds so much less. */
    public synchronized void subtract(long bytes) {
      if (!released) {
        mine -= bytes;
        used.addAndGet(-bytes);
      }
    }

    /** Holds nothing from now on. */
    public void release() {
      synchronized (this) {
        free();
      }
      unlist();
    }

    /** Call it with the lock of this; {@link #unlist} must follow without. */
    private void free() {
      if (!released) {
        released = true;
        onRevoke = null;
        used.addAndGet(-mine);
      }
    }

    private void unlist() {
      synchronized (held) {
        held.remove(this);
      }
    }

    /** Takes the memory back, if that may still be. */
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
    return mine <= LITTLE_BYTES ? max : largeMax;
  }

  private long room(long bytes) {
    return limit(bytes) - used.get();
  }

  private void list(Reservation reservation) {
    synchronized (held) {
      held.add(reservation);
      if (isWanted) {
        wanting.remove(reservation.client);
        isWanted = !wanting.isEmpty();
      }
    }
    synchronized (reservation) {
      if (!reservation.released) {
        return;
      }
    }
    synchronized (held) {
      held.remove(reservation); // it was released while it was put there
    }
  }

  /** Takes memory back for a request, from where it is held rather than used. */
  private boolean makeRoom(Reservation wants, long bytes) {
    long wanted = wants.mine() + bytes;
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
      remember(wants.client);
    }
    return hasRoom;
  }

  /**
   * Bodies on their way: slow ones, the largest first, then those of clients beyond their share.
   */
  private List<Reservation> victims(Object client) {
    List<Reservation> all;
    synchronized (held) {
      all = new ArrayList<>(held);
    }
    Map<Object, Long> byClient = byClient(all);
    long mine = byClient.getOrDefault(client, 0L);
    long share = max / (byClient.size() + (byClient.containsKey(client) ? 0 : 1));
    List<Reservation> victims = new ArrayList<>();
    List<Reservation> slow = new ArrayList<>();
    for (Reservation reservation : all) {
      long theirs = byClient.getOrDefault(reservation.client, 0L);
      boolean isMine = reservation.client.equals(client);
      if (!reservation.isLent()) {
        continue;
      }
      if (reservation.isSlow() && (isMine || theirs > mine)) {
        slow.add(reservation);
      } else if (!isMine && theirs > share && mine < share) {
        victims.add(reservation);
      }
    }
    Comparator<Reservation> largestFirst =
        Comparator.comparingLong((Reservation reservation) -> reservation.mine()).reversed();
    slow.sort(largestFirst);
    victims.sort(largestFirst);
    slow.addAll(victims);
    return slow;
  }

  private static Map<Object, Long> byClient(List<Reservation> all) {
    Map<Object, Long> byClient = new HashMap<>();
    all.forEach(held -> byClient.merge(held.client, held.mine(), Long::sum));
    return byClient;
  }

  private void remember(Object client) {
    synchronized (held) {
      if (wanting.size() < WANTING_MAX) {
        wanting.put(client, nanos.getAsLong() + WANTED_NANOS);
        isWanted = true;
      }
    }
  }

  /** Whether a client is to leave room for others that were refused, and holds more than they. */
  private boolean isBeyondShare(Object client, long bytes) {
    List<Reservation> all;
    Set<Object> clients;
    synchronized (held) {
      long now = nanos.getAsLong();
      wanting.values().removeIf(until -> until - now < 0);
      isWanted = !wanting.isEmpty();
      all = new ArrayList<>(held);
      clients = new LinkedHashSet<>(wanting.keySet());
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
