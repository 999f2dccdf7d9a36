package hourglass.query.fair;

import com.google.common.collect.Multiset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The places in which queries work, shared between clients. Thread-safe.
 *
 * <pre>
 *   WAITING --begin--> WORKING --rest--> RESTING: its client does not read
 *      |                ^   |               |
 *   refuse              |  yield            | ask
 *                       |   v               v
 *                       +- YIELDED      RETURNING
 *                       |                   |
 *                       +-------------------+
 * </pre>
 *
 * A free place is given to the client with the fewest places, and within a client to the query that
 * has waited longest. Some places are reserved for small queries. A client with more places than
 * others yields them one by one, while another client waits. A resting answer needs no place but
 * holds memory. If another query needs that memory, the client with most resting answers loses the
 * one that has rested longest.
 */
public final class Places {
  /** The expected cost of a query. */
  public enum Size {
    /** The query takes some milliseconds. */
    SMALL,
    LARGE,
    /**
     * The size is not known yet. The query is treated as {@link #LARGE} until {@link Place#sized}
     * is called, but waits among the small ones.
     */
    UNKNOWN
  }

  enum State {
    NEW,
    WAITING,
    WORKING,
    RESTING,
    RETURNING,
    /** The query is returning, and its work has to pause. */
    YIELDED,
    ENDED
  }

  /** The time between two cuts for memory, since memory is freed with a delay. */
  private static final long CUT_MILLIS = 100;

  private static final Comparator<ClientPlaces> FEWEST_FIRST =
      Comparator.<ClientPlaces>comparingInt(client -> client.states.count(State.WORKING))
          .thenComparingLong(client -> client.turn);

  private final PlaceLimits limits;
  private final LongSupplier millis;

  // Guarded by this, as are the fields of clients and places.
  private final Map<Object, ClientPlaces> clients = new HashMap<>();
  private final TakenPlaces taken;
  private long turn;

  /** The time of the last cut; null before the first one. */
  private @Nullable Long cutMillis;

  /**
   * @param hasMemory whether there is memory for one more query of a client that is not small
   * @param millis a monotonic clock
   */
  public Places(PlaceLimits limits, Predicate<Object> hasMemory, LongSupplier millis) {
    this.limits = limits;
    this.millis = millis;
    taken = new TakenPlaces(limits, hasMemory);
  }

  /**
   * Creates the place of a query. {@link Place#enter} and {@link Place#end} must follow.
   *
   * @param client compared by equality
   */
  public synchronized Place place(Object client, Size size, PlaceHolder holder) {
    return new Place(clients.computeIfAbsent(client, ClientPlaces::new), size, holder);
  }

  public synchronized int begun() {
    return taken.begun();
  }

  public synchronized int waiting() {
    return taken.count(State.WAITING);
  }

  public synchronized int resting() {
    return taken.count(State.RESTING);
  }

  private void grant(List<Runnable> calls) {
    for (Place place = next(); place != null; place = next()) {
      calls.add(place.state == State.WAITING ? place.holder::begin : place.holder::moved);
      place.become(State.WORKING);
      place.client.turn = ++turn;
    }
  }

  private @Nullable Place next() {
    return taken.areAllTaken()
        ? null
        : clients.values().stream()
            .filter(client -> !client.line.isEmpty())
            .sorted(FEWEST_FIRST)
            .flatMap(client -> client.line.stream().filter(taken::haveRoomFor).limit(1))
            .findFirst()
            .orElse(null);
  }

  /** Refuses this query, or the last one of a larger share, if too many queries wait to begin. */
  private void keepBounds(Place place, List<Runnable> calls) {
    if (place.state != State.WAITING || !taken.areAwaitedByTooMany(place.countsAsLarge())) {
      return;
    }
    ClientPlaces most =
        Collections.max(
            clients.values(),
            Comparator.comparingInt(client -> client.states.count(State.WAITING)));
    Place refused =
        most.states.count(State.WAITING) < place.client.states.count(State.WAITING) + 2
            ? place
            : most.places.stream()
                .filter(other -> other.state == State.WAITING)
                .filter(other -> other.countsAsLarge() == place.countsAsLarge())
                .reduce(place, (first, second) -> second);
    refuse(refused, calls);
  }

  private void refuse(Place place, List<Runnable> calls) {
    String why = taken.refusal();
    place.become(State.ENDED);
    calls.add(() -> place.holder.refuse(why));
  }

  /**
   * Refuses queries that have waited too long, and reclaims capacity from larger shares. Must be
   * called periodically while any query waits.
   */
  public void look() {
    List<Runnable> calls = new ArrayList<>();
    synchronized (this) {
      long now = millis.getAsLong();
      places(State.WAITING)
          .filter(place -> now - place.sinceMillis >= limits.waitMillis())
          .toList()
          .forEach(place -> refuse(place, calls));
      for (ClientPlaces client : List.copyOf(clients.values())) {
        Stream<Place> first = client.line.stream().limit(1);
        Stream<Place> small = client.line.stream().filter(Place::isSmall).limit(1);
        Stream.concat(first, small)
            .distinct()
            .filter(place -> !taken.haveRoomFor(place))
            .toList()
            .forEach(place -> freeCapacity(place, now, calls));
      }
      grant(calls);
    }
    calls.forEach(Runnable::run);
  }

  private Stream<Place> places(State state) {
    return clients.values().stream()
        .flatMap(client -> client.places.stream())
        .filter(place -> place.state == state);
  }

  private void freeCapacity(Place wants, long now, List<Runnable> calls) {
    if (!taken.haveCapacityFor(wants) && mayCutFor(wants, now)) {
      places(State.RESTING)
          .filter(place -> helps(place, wants) && mayCut(place.client, wants))
          .filter(place -> now - place.sinceMillis >= limits.restMillis())
          .min(largestShareFirst(State.RESTING))
          .ifPresent(
              place -> {
                place.become(State.ENDED);
                calls.add(place.holder::cutOff);
                cutMillis = now;
              });
    }
    if (!taken.havePlaceFor(wants)) {
      places(State.WORKING)
          .filter(place -> wants.isSmall() || !place.isSmall())
          .filter(place -> now - place.sinceMillis >= limits.sliceMillis())
          .filter(place -> mayYield(place, wants))
          .min(largestShareFirst(State.WORKING))
          .ifPresent(
              place -> {
                place.become(State.YIELDED);
                calls.add(place.holder::moved);
              });
    }
  }

  /**
   * Sorts places by the share of their client, the largest first; within a client, the place that
   * has been longest in this state is first.
   */
  private static Comparator<Place> largestShareFirst(State state) {
    return Comparator.<Place>comparingInt(place -> -place.client.states.count(state))
        .thenComparingLong(place -> place.sinceMillis);
  }

  /**
   * Whether a place may be cut now. An early second cut may be needless, as memory is freed some
   * time after the first one.
   */
  private boolean mayCutFor(Place wants, long now) {
    return !taken.lackMemoryAlone(wants) || cutMillis == null || now - cutMillis >= CUT_MILLIS;
  }

  /**
   * Whether a client's place may be cut for a query. If only memory is lacking and no other client
   * has begun more, the query's own client is the cause.
   */
  private boolean mayCut(ClientPlaces client, Place wants) {
    return !taken.lackMemoryAlone(wants)
        || client == wants.client
        || client.begun() > wants.client.begun();
  }

  /** Whether the end of one place helps another query. Small queries have separate capacity. */
  private boolean helps(Place rests, Place wants) {
    return wants.isSmall() || !rests.isSmall() || taken.lackMemoryAlone(wants);
  }

  /**
   * Whether a query may yield. It yields to a client with at least two places fewer, or to a query
   * of the same client that has begun.
   */
  private boolean mayYield(Place works, Place wants) {
    if (wants.state == State.WAITING && taken.count(State.YIELDED) >= limits.yieldedMax()) {
      return false; // the new query would hold memory besides the one that yields
    }
    return works.client == wants.client
        ? wants.state != State.WAITING
        : works.client.states.count(State.WORKING) >= wants.client.states.count(State.WORKING) + 2;
  }

  /** The place of one query. Thread-safe. */
  public final class Place {
    private final ClientPlaces client;
    private final PlaceHolder holder;
    private Size size;
    private State state = State.NEW;
    private long sinceMillis;

    private Place(ClientPlaces client, Size size, PlaceHolder holder) {
      this.client = client;
      this.size = size;
      this.holder = holder;
      client.places.add(this);
    }

    /** The client, as {@link Places#place} was given it. */
    Object client() {
      return client.name;
    }

    boolean isSmall() {
      return size == Size.SMALL;
    }

    boolean isIn(State wanted) {
      return state == wanted;
    }

    /** Whether the query counts as large. A query of unknown size waits as a small one. */
    private boolean countsAsLarge() {
      return state == State.WAITING ? size == Size.LARGE : !isSmall();
    }

    private void become(State next) {
      recount(() -> state = next);
      sinceMillis = millis.getAsLong();
      if (state == State.WAITING || state == State.RETURNING || state == State.YIELDED) {
        client.line.add(this);
      } else {
        client.line.remove(this);
      }
      if (state == State.ENDED) {
        client.places.remove(this);
        if (client.places.isEmpty()) {
          clients.remove(client.name);
        }
      }
    }

    private void recount(Runnable change) {
      counts().forEach(states -> states.remove(state));
      change.run();
      counts().forEach(states -> states.add(state));
    }

    private List<Multiset<State>> counts() {
      if (state == State.NEW || state == State.ENDED) {
        return List.of();
      }
      return Stream.concat(taken.counts(countsAsLarge()).stream(), Stream.of(client.states))
          .toList();
    }

    /** Asks for the place. If one is free, {@link PlaceHolder#begin} has been called on return. */
    public void enter() {
      act(
          calls -> {
            if (state == State.NEW) {
              become(State.WAITING);
              grant(calls);
              keepBounds(this, calls);
            }
          });
    }

    public boolean isWaiting() {
      synchronized (Places.this) {
        return state == State.WAITING;
      }
    }

    /** Sets the size of the query. This has an effect only while the query waits to begin. */
    public void sized(Size known) {
      act(
          calls -> {
            if (state == State.WAITING) {
              recount(() -> size = known);
              grant(calls);
              keepBounds(this, calls);
            }
          });
    }

    public void rest() {
      change(Set.of(State.WORKING, State.RETURNING, State.YIELDED), State.RESTING);
    }

    /** Returns whether the query may work. Asks for the place if it was released. */
    public boolean ask() {
      change(Set.of(State.RESTING), State.RETURNING);
      synchronized (Places.this) {
        // A query that must yield finishes its current step.
        return state == State.WORKING || state == State.YIELDED;
      }
    }

    /**
     * Whether the query must pause. If so, it starts nothing until {@link PlaceHolder#moved} is
     * called.
     */
    public boolean mustPause() {
      synchronized (Places.this) {
        return state == State.YIELDED;
      }
    }

    /** Releases the place permanently. Idempotent. */
    public void end() {
      change(EnumSet.range(State.NEW, State.YIELDED), State.ENDED);
    }

    private void change(Set<State> from, State to) {
      act(
          calls -> {
            if (from.contains(state)) {
              become(to);
              grant(calls);
            }
          });
    }

    private void act(Consumer<List<Runnable>> change) {
      List<Runnable> calls = new ArrayList<>();
      synchronized (Places.this) {
        change.accept(calls);
      }
      calls.forEach(Runnable::run);
    }
  }
}
