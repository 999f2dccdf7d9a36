package hourglass.query.fair;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * A bounded number of things that clients hold, such as tails or connections. Where all are taken,
 * a client with fewer than another gets one of the other's; so shares bind only while others want
 * in. Thread-safe.
 *
 * @param <T> what is held, told apart by identity or as it is equal
 */
public final class Shares<T> {
  private final int max;

  /** What a client takes from itself has not been used for so long. */
  private final long idleMillisMin;

  private final ToLongFunction<T> idleMillis;

  /** What each client holds, the oldest first. Guarded by this, as all below. */
  private final Map<Object, Set<T>> byClient = new HashMap<>();

  private final Map<T, Object> clients = new HashMap<>();

  /**
   * @param idleMillis for how long something was not used; 0: it is in use
   * @param idleMillisMin a client that has most itself gets one for one of its own that was idle
   *     for so long
   */
  public Shares(int max, ToLongFunction<T> idleMillis, long idleMillisMin) {
    this.max = max;
    this.idleMillis = idleMillis;
    this.idleMillisMin = idleMillisMin;
  }

  /**
   * Adds one, if it finds a place.
   *
   * @return what must end: nothing, one that had to leave for it, or the one itself
   */
  public synchronized Optional<T> add(Object client, T added) {
    Optional<T> victim = clients.size() < max ? Optional.empty() : victim(client, added);
    if (victim.isEmpty() || victim.get() != added) {
      victim.ifPresent(this::remove);
      byClient.computeIfAbsent(client, name -> new LinkedHashSet<>()).add(added);
      clients.put(added, client);
    }
    return victim;
  }

  private Optional<T> victim(Object client, T added) {
    Set<T> mine = byClient.getOrDefault(client, Set.of());
    Set<T> most =
        byClient.values().stream().max(Comparator.comparingInt(Set::size)).orElse(Set.of());
    boolean isLarger = most.size() >= mine.size() + 2;
    Optional<T> longest =
        (isLarger ? most : mine)
            .stream()
                .filter(held -> isLarger || idleMillis.applyAsLong(held) >= idleMillisMin)
                .max(Comparator.comparingLong(idleMillis));
    return longest.or(() -> Optional.of(added));
  }

  /** Takes note that one has ended; any number of times. */
  public synchronized void remove(T held) {
    Object client = clients.remove(held);
    Set<T> others = client == null ? null : byClient.get(client);
    if (client != null && others != null) {
      others.remove(held);
      if (others.isEmpty()) {
        byClient.remove(client);
      }
    }
  }

  /** How many there are. */
  public synchronized int size() {
    return clients.size();
  }

  /** How many a client holds. */
  public synchronized int size(Object client) {
    return byClient.getOrDefault(client, Set.of()).size();
  }

  /** All that there are, as of now. */
  public synchronized Set<T> all() {
    return Set.copyOf(clients.keySet());
  }
}
