package hourglass.access;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A bounded room that clients share fairly, for things that stay until they end by themselves.
 * Thread-safe.
 *
 * <pre>
 * 0 |--- others ---|--------------- what they leave ---------------| max
 *                  |------ a client: three quarters ------|
 * </pre>
 *
 * <p>A client leaves free a part of the room that all others leave to it, by default a quarter. So
 * one that is alone gets three quarters of the room, each of n that ask for all of it gets 3 / (3 n
 * + 1), and there is always some room for the next one. A client above its share gets no more until
 * enough of its own has ended. Where a place can be taken back, no room has to stay free.
 */
// The bound is a dynamic threshold, by which switches divide memory between queues (Choudhury and
// Hahne, 1998).
public final class SharedRoom {
  /** The holder of things without a known client. This room is not divided. */
  public static final Object NOBODY =
      new Object() {
        @Override
        public String toString() {
          return "nobody";
        }
      };

  /** The most clients, about a hundred bytes each. Further clients count as one. */
  static final int CLIENTS_MAX = 10_000;

  /** The holder that stands for all clients beyond the bound. */
  static final Object OTHERS =
      new Object() {
        @Override
        public String toString() {
          return "others";
        }
      };

  /** The part that a client leaves free of the room that all others leave to it. */
  public enum Leaves {
    HALF(2),
    QUARTER(4),
    EIGHTH(8);

    private final int parts;

    Leaves(int parts) {
      this.parts = parts;
    }

    /**
     * Returns the largest part of {@code left} that a client may hold; at least 1, so that the
     * smallest room has a place too.
     */
    private long share(long left) {
      return Math.max(1, left - ((left - 1) / parts + 1));
    }
  }

  private final long max;
  private final Leaves leaves;

  // The lock of this object guards the map and the total.
  private final Map<Object, Long> held = new HashMap<>();
  private long total;

  /** The part of a room that a client holds. */
  public record Holding(Object holder, long amount) {}

  /** Creates a room, whose {@code max} above 0 is that of all clients together. */
  public SharedRoom(long max) {
    this(max, Leaves.QUARTER);
  }

  /**
   * Creates a room.
   *
   * @param max the room of all clients together, above 0
   * @param leaves the part that a client leaves free, where no other is given
   */
  public SharedRoom(long max, Leaves leaves) {
    this.max = max;
    this.leaves = leaves;
  }

  /**
   * Returns the name under which a client's things are added and released, compared by equality.
   */
  public synchronized Object holder(Object client) {
    return client == NOBODY || held.containsKey(client) || held.size() < CLIENTS_MAX
        ? client
        : OTHERS;
  }

  /** Adds things if they are within the holder's share; else changes nothing and returns false. */
  public synchronized boolean take(Object holder, long amount) {
    return take(holder, amount, leaves);
  }

  private synchronized boolean take(Object holder, long amount, Leaves leaving) {
    if (amount > left(holder, leaving)) {
      return false;
    }
    add(holder, amount);
    return true;
  }

  /** Opens the account of one thing that a client owns. */
  public Account open(Object holder) {
    return new Account(holder);
  }

  /** Adds things that already exist, whatever the shares are. */
  public synchronized void add(Object holder, long amount) {
    total += amount;
    if (holder != NOBODY && amount > 0) {
      held.merge(holder, amount, Long::sum);
    }
  }

  /** Releases things that were added for this holder. */
  public synchronized void release(Object holder, long amount) {
    total -= amount;
    if (holder != NOBODY) {
      held.computeIfPresent(holder, (name, now) -> now > amount ? now - amount : null);
    }
  }

  /** Returns how many things the holder may add now. */
  public synchronized long left(Object holder) {
    return left(holder, leaves);
  }

  private long left(Object holder, Leaves leaving) {
    return holder == NOBODY ? Math.max(0, max - total) : leftAt(held(holder), total, leaving);
  }

  /** Returns how many things a client may add that holds {@code own} of {@code total}. */
  public long leftAt(long own, long total) {
    return leftAt(own, total, leaves);
  }

  private long leftAt(long own, long total, Leaves leaving) {
    return Math.max(0, Math.min(leaving.share(max - (total - own)) - own, max - total));
  }

  /** Returns the most that one client can hold: its share while no other holds anything. */
  public long ofOne() {
    return leaves.share(max);
  }

  /** Returns the room that all others leave, of which this holder may have taken some. */
  public synchronized long leftByOthers(Object holder) {
    return max - (total - held(holder));
  }

  public synchronized long held(Object holder) {
    return held.getOrDefault(holder, 0L);
  }

  public synchronized long total() {
    return total;
  }

  public long max() {
    return max;
  }

  /** Returns the clients that hold the most, the largest first: at most {@code clients} of them. */
  public synchronized List<Holding> largest(int clients) {
    return held.entrySet().stream()
        .map(each -> new Holding(each.getKey(), each.getValue()))
        .sorted(Comparator.comparingLong(Holding::amount).reversed())
        .limit(clients)
        .toList();
  }

  /** The part of a room that one thing holds, such as an answer or a connection. Thread-safe. */
  public final class Account implements AutoCloseable {
    private final Object holder;

    // The room guards both.
    private long mine;
    private boolean isClosed;

    private Account(Object holder) {
      this.holder = holder;
    }

    /** Takes room. Returns false, and takes none, beyond the client's share or once closed. */
    public boolean tryTake(long amount) {
      return tryTake(amount, leaves);
    }

    /** Takes room as {@link #tryTake(long)} does, for a client that leaves another part. */
    public boolean tryTake(long amount, Leaves leaving) {
      synchronized (SharedRoom.this) {
        if (isClosed || !take(holder, amount, leaving)) {
          return false;
        }
        mine += amount;
        return true;
      }
    }

    /** Gives room back. Nothing happens if the account holds less. */
    public void give(long amount) {
      synchronized (SharedRoom.this) {
        if (amount > 0 && amount <= mine) {
          mine -= amount;
          release(holder, amount);
        }
      }
    }

    /** Gives back all room but this amount. The account may take more later. */
    public void keep(long amount) {
      synchronized (SharedRoom.this) {
        give(mine - amount);
      }
    }

    public long held() {
      synchronized (SharedRoom.this) {
        return mine;
      }
    }

    public boolean isClosed() {
      synchronized (SharedRoom.this) {
        return isClosed;
      }
    }

    /** Gives all room back, and accepts no more. Idempotent. */
    @Override
    public void close() {
      synchronized (SharedRoom.this) {
        keep(0);
        isClosed = true;
      }
    }
  }
}
