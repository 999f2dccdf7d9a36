package hourglass.access;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of places, such as those of connections. While all are taken, a new client gets
 * one of the client that holds the most, if that one holds at least two more. So shares bind only
 * under contention. Thread-safe.
 *
 * @param <T> the holder of a place, distinguished by equality
 */
public final class SharedPlaces<T extends SharedPlaces.Holder> {
  /** The holder of a place. Its methods are called under a lock, so they must not wait. */
  public interface Holder {
    /**
     * Returns the time since when the holder has been idle, by the clock of the places; now or
     * later if it is in use.
     */
    long idleSince();

    /** Gives up the place if the holder may; it has been idle since then, as far as is known. */
    default boolean tryLeave(long idleSince) {
      return true;
    }
  }

  /** The fate of a holder that has been idle for long, where no client holds two more. */
  public enum Stalled {
    STAYS,

    /** The holder makes room for its own client. */
    OWN_LEAVES,

    /**
     * The holder makes room for its own client, and for any client that holds fewer. Without that,
     * as many clients as there are places keep all others out.
     */
    OWN_OR_OF_LARGER_LEAVES
  }

  /**
   * The most holders that are examined for one newcomer. Those in use move to the end of their
   * client's queue, so the next search begins with others.
   */
  private static final int EXAMINED_MAX = 64;

  private final int max;
  private final LongSupplier clock;
  private final Stalled stalled;
  private final long stalledTime;

  // The lock of this object guards all fields below.
  private final Map<T, Place<T>> places = new HashMap<>();
  private final Map<Object, Share<T>> shares = new HashMap<>();

  /** The shares by size, the smallest first, and the newest first among equal ones. */
  private final TreeSet<Share<T>> bySize =
      new TreeSet<>(
          Comparator.<Share<T>>comparingInt(share -> share.queue.size())
              .thenComparing(share -> share.number, Comparator.reverseOrder()));

  private long number;

  /**
   * The places of one client.
   *
   * @param queue by the last known idle times, which can only grow; the oldest place first among
   *     equal ones
   */
  private record Share<T extends Holder>(Object client, long number, TreeSet<Place<T>> queue) {}

  private record Place<T extends Holder>(Share<T> share, T holder, long number, long idleSince) {}

  /** Creates places whose holders stay while no client holds two fewer. */
  public SharedPlaces(int max, LongSupplier clock) {
    this(max, clock, Stalled.STAYS, 0);
  }

  /**
   * Creates places.
   *
   * @param max places of all clients together
   * @param clock monotonic, in any unit
   * @param stalledTime the time after which an idle holder is stalled
   */
  public SharedPlaces(int max, LongSupplier clock, Stalled stalled, long stalledTime) {
    this.max = max;
    this.clock = clock;
    this.stalled = stalled;
    this.stalledTime = stalledTime;
  }

  /** Returns the holder to end: none, another one that lost its place, or {@code added} itself. */
  public synchronized Optional<T> add(Object client, T added) {
    long now = clock.getAsLong();
    Place<T> leaving = null;
    if (places.size() >= max) {
      leaving = new Search(now).find(shares.get(client));
      if (leaving == null) {
        return Optional.of(added);
      }
      remove(leaving.holder);
    }
    Share<T> share = shares.computeIfAbsent(client, this::share);
    resize(share, () -> put(new Place<>(share, added, number++, idleSince(added, now))));
    return Optional.ofNullable(leaving).map(Place::holder);
  }

  private Share<T> share(Object client) {
    return new Share<>(
        client,
        number++,
        new TreeSet<>(
            Comparator.<Place<T>>comparingLong(place -> place.idleSince)
                .thenComparingLong(place -> place.number)));
  }

  private void put(Place<T> place) {
    places.put(place.holder, place);
    place.share.queue.add(place);
  }

  private void resize(Share<T> share, Runnable change) {
    bySize.remove(share);
    change.run();
    if (share.queue.isEmpty()) {
      shares.remove(share.client);
    } else {
      bySize.add(share);
    }
  }

  private long idleSince(T holder, long now) {
    return Math.min(holder.idleSince(), now);
  }

  /** Frees the place of a holder that has ended. Idempotent. */
  public synchronized void remove(T holder) {
    Place<T> place = places.remove(holder);
    if (place != null) {
      resize(place.share, () -> place.share.queue.remove(place));
    }
  }

  public synchronized int size() {
    return places.size();
  }

  public synchronized int size(Object client) {
    Share<T> share = shares.get(client);
    return share == null ? 0 : share.queue.size();
  }

  /** Returns a copy of the holders. */
  public synchronized Set<T> all() {
    return new HashSet<>(places.keySet());
  }

  /** The search for a holder that leaves. */
  private final class Search {
    private final long now;
    private int examined;

    private Search(long now) {
      this.now = now;
    }

    private @Nullable Place<T> find(@Nullable Share<T> mine) {
      int size = mine == null ? 0 : mine.queue.size();
      for (Share<T> share : bySize.descendingSet()) {
        if (share.queue.size() < size + 2) {
          break;
        }
        Place<T> place = leaving(share);
        if (place != null || examined >= EXAMINED_MAX) {
          return place;
        }
      }
      Place<T> place =
          stalled == Stalled.STAYS || mine == null ? null : ifStalled(longestIdle(mine));
      if (place == null && stalled == Stalled.OWN_OR_OF_LARGER_LEAVES) {
        place = longestStalledOfLarger(size);
      }
      return place != null && place.holder.tryLeave(place.idleSince) ? place : null;
    }

    /**
     * Returns a place whose holder leaves; null if all examined ones are in use and keep their
     * places.
     */
    private @Nullable Place<T> leaving(Share<T> share) {
      Place<T> place;
      do {
        place = longestIdle(share);
        if (place.holder.tryLeave(place.idleSince)) {
          return place;
        }
      } while (place.idleSince < now && examined < EXAMINED_MAX);
      return null;
    }

    private @Nullable Place<T> longestStalledOfLarger(int size) {
      Place<T> longest = null;
      for (Share<T> share : bySize.descendingSet()) {
        if (share.queue.size() <= size || examined >= EXAMINED_MAX) {
          break;
        }
        Place<T> place = ifStalled(longestIdle(share));
        if (place != null && (longest == null || place.idleSince < longest.idleSince)) {
          longest = place;
        }
      }
      return longest;
    }

    private @Nullable Place<T> ifStalled(Place<T> place) {
      return now - idleSince(place.holder, now) >= stalledTime ? place : null;
    }

    /**
     * Returns the place that has been idle the longest. After a bounded number of looks, it is the
     * one that seemed so at the last looks.
     */
    private Place<T> longestIdle(Share<T> share) {
      Place<T> first = share.queue.first();
      while (examined++ < EXAMINED_MAX) {
        long since = idleSince(first.holder, now);
        if (since == first.idleSince) {
          break;
        }
        share.queue.remove(first);
        put(new Place<>(share, first.holder, first.number, since));
        first = share.queue.first();
      }
      return first;
    }
  }
}
