package hourglass.config.gate;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * Bounds the connections of a listener, with a share for each client address. While it is full, a
 * client with fewer connections than another gets the place of the other's longest-idle one. A
 * connection with a request under way keeps its place. Thread-safe.
 */
public final class ConnectionShares {
  /**
   * For one newcomer. Connections in use move to the end of their client's queue, so the next
   * search begins with others.
   */
  private static final int EXAMINED_MAX = 64;

  private static final Comparator<Client> BY_SIZE =
      Comparator.<Client>comparingInt(client -> client.queue.size())
          .thenComparing(client -> client.address);

  private static final Comparator<Place> LONGEST_IDLE_FIRST =
      Comparator.<Place>comparingLong(place -> place.idleSince)
          .thenComparingLong(place -> place.number);

  private final int max;

  // Guarded by this, as all below.
  private final Map<ConnectionWatch, Place> places = new HashMap<>();
  private final Map<String, Client> clients = new HashMap<>();
  private final TreeSet<Client> bySize = new TreeSet<>(BY_SIZE);
  private long number;

  private record Client(String address, TreeSet<Place> queue) {}

  private record Place(Client client, ConnectionWatch watch, long number, long idleSince) {}

  public ConnectionShares(int max) {
    this.max = max;
  }

  /** May take another client's place; if false, the caller closes the connection. */
  public synchronized boolean add(String address, ConnectionWatch watch) {
    Client known = clients.get(address);
    if (places.size() >= max && !evictFor(known == null ? 0 : known.queue.size())) {
      return false;
    }
    Client client =
        clients.computeIfAbsent(
            address, name -> new Client(name, new TreeSet<>(LONGEST_IDLE_FIRST)));
    Place place = new Place(client, watch, number++, watch.idleSince());
    places.put(watch, place);
    bySize.remove(client);
    client.queue.add(place);
    bySize.add(client);
    return true;
  }

  /** Ends the longest-idle connection of the largest client that has one and exceeds the other. */
  private boolean evictFor(int size) {
    int examined = 0;
    for (Client client : bySize.descendingSet()) {
      if (client.queue.size() < size + 2) {
        return false;
      }
      // Twice round: the first examination may only find that a connection was used since.
      for (int i = 2 * client.queue.size(); i > 0; i--) {
        Place place = client.queue.first();
        if (place.watch.evict(place.idleSince)) {
          remove(place.watch);
          return true;
        }
        requeue(place);
        if (++examined == EXAMINED_MAX) {
          return false;
        }
      }
    }
    return false;
  }

  private void requeue(Place place) {
    Place later = new Place(place.client, place.watch, place.number, place.watch.idleSince());
    place.client.queue.remove(place);
    place.client.queue.add(later);
    places.put(place.watch, later);
  }

  public synchronized void remove(ConnectionWatch watch) {
    Place place = places.remove(watch);
    if (place == null) {
      return;
    }
    Client client = place.client;
    bySize.remove(client);
    client.queue.remove(place);
    if (client.queue.isEmpty()) {
      clients.remove(client.address);
    } else {
      bySize.add(client);
    }
  }
}
