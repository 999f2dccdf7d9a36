package hourglass.access;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A bounded number of resources that clients hold. When all are taken, a client takes one from
 * another that holds more, so shares bind only under contention. Thread-safe.
 *
 * @param <T> the resource, distinguished by equality
 */
public final class Shares<T> {
  private final int max;
  private final long idleMillisMin;
  private final ToLongFunction<T> idleMillis;
  private final boolean replacesIdle;

  /** The resources of each client that has some, the oldest first. Guarded by this. */
  private final Map<Object, Set<T>> byClient = new LinkedHashMap<>();

  /**
   * @param max resources of all clients together
   * @param idleMillis how long a resource has been unused; 0 if it is in use
   * @param idleMillisMin idle time after which a client may replace a resource of its own
   */
  public Shares(int max, ToLongFunction<T> idleMillis, long idleMillisMin) {
    this(max, idleMillis, idleMillisMin, false);
  }

  /**
   * @param max resources of all clients together
   * @param idleMillis how long a resource has been unused; 0 if it is in use
   * @param idleMillisMin idle time after which a client may replace a resource of its own
   * @param replacesIdle whether it may then replace one of a client that holds only one more, too.
   *     Without that, as many clients as there are resources keep all others out.
   */
  public Shares(int max, ToLongFunction<T> idleMillis, long idleMillisMin, boolean replacesIdle) {
    this.max = max;
    this.idleMillis = idleMillis;
    this.idleMillisMin = idleMillisMin;
    this.replacesIdle = replacesIdle;
  }

  /** Returns the resource to end: none, another that gave its place, or {@code added} itself. */
  public synchronized Optional<T> add(Object client, T added) {
    Optional<T> victim = size() < max ? Optional.empty() : victim(client, added);
    if (victim.isEmpty() || victim.get() != added) {
      victim.ifPresent(this::remove);
      byClient.computeIfAbsent(client, first -> new LinkedHashSet<>()).add(added);
    }
    return victim;
  }

  private Optional<T> victim(Object client, T added) {
    Set<T> mine = of(client);
    Set<T> most =
        byClient.values().stream().max(Comparator.comparingInt(Set::size)).orElse(Set.of());
    if (most.size() >= mine.size() + 2) {
      return most.stream().max(Comparator.comparingLong(idleMillis));
    }
    return idleLongest(mine.stream())
        .or(() -> replacesIdle ? idleLongest(ofLarger(mine.size())) : Optional.empty())
        .or(() -> Optional.of(added));
  }

  private Stream<T> ofLarger(int size) {
    return byClient.values().stream().filter(held -> held.size() > size).flatMap(Set::stream);
  }

  private Optional<T> idleLongest(Stream<T> some) {
    return some.filter(held -> idleMillis.applyAsLong(held) >= idleMillisMin)
        .max(Comparator.comparingLong(idleMillis));
  }

  private Set<T> of(Object client) {
    return byClient.getOrDefault(client, Set.of());
  }

  /** Removes a resource that has ended. Idempotent. */
  public synchronized void remove(T held) {
    byClient.values().removeIf(some -> some.remove(held) && some.isEmpty());
  }

  public synchronized int size() {
    return byClient.values().stream().mapToInt(Set::size).sum();
  }

  public synchronized int size(Object client) {
    return of(client).size();
  }

  /** A snapshot. */
  public synchronized Set<T> all() {
    return byClient.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
  }
}
