package hourglass.access;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The quotas of all clients, by the share of each. Thread-safe.
 *
 * <p>A quota is dropped only when it is full and unused, as a new one would be. So a client cannot
 * lose its debt by sending from many addresses. While all places are taken, further clients share
 * one quota.
 */
public final class Quotas {
  /** The most quotas, a few hundred bytes each. */
  static final int CLIENTS_MAX = 10_000;

  /**
   * The quotas examined for one newcomer. Those in use move to the end, so the next search begins
   * with others.
   */
  private static final int EXAMINED_MAX = 64;

  /**
   * The time in which a quota is not dropped: longer than a request needs from the look-up of its
   * quota to the first use.
   */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Limits defaults;
  private final LongSupplier nanos;
  private final Consumer<String> onRefused;
  private final Quota others;

  /** The quotas, the longest unused first. Guarded by this. */
  private final Map<Object, Entry> entries = new LinkedHashMap<>();

  private record Entry(Quota quota, long usedNanos) {}

  /**
   * Creates the quotas.
   *
   * @param nanos a monotonic clock
   * @param onRefused gets the name of each limit that refuses something
   */
  public Quotas(Limits defaults, LongSupplier nanos, Consumer<String> onRefused) {
    this.onRefused = onRefused;
    this.defaults = defaults;
    this.nanos = nanos;
    others = new Quota(defaults, nanos, onRefused);
  }

  /** Returns the quota of a client, whose {@code own} limits replace the defaults. */
  public Quota of(Object client, Limits own) {
    Limits limits = own.orElse(defaults);
    if (limits.equals(Limits.NONE)) {
      return Quota.UNLIMITED;
    }
    long now = nanos.getAsLong();
    synchronized (this) {
      Entry known = entries.remove(client);
      if (known == null && entries.size() >= CLIENTS_MAX && !forget(now)) {
        return others;
      }
      Quota quota = known == null ? new Quota(limits, nanos, onRefused) : known.quota;
      quota.limit(limits);
      entries.put(client, new Entry(quota, now));
      return quota;
    }
  }

  /** Drops unused quotas. Returns false if all that were examined are in use or in debt. */
  private boolean forget(long now) {
    Map<Object, Entry> kept = new LinkedHashMap<>();
    Iterator<Map.Entry<Object, Entry>> oldest = entries.entrySet().iterator();
    for (int i = 0; i < EXAMINED_MAX && oldest.hasNext(); i++) {
      Map.Entry<Object, Entry> next = oldest.next();
      Entry entry = next.getValue();
      if (now - entry.usedNanos < FRESH_NANOS) {
        break; // and so are all behind it, or they were examined a moment ago
      }
      if (!entry.quota.isUntouched()) {
        kept.put(next.getKey(), entry);
      }
      oldest.remove();
    }
    entries.putAll(kept);
    return entries.size() < CLIENTS_MAX;
  }

  synchronized int size() {
    return entries.size();
  }
}
