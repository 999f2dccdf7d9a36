package hourglass.query.fair;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The places that queries work in, shared between clients. Thread-safe.
 *
 * <pre>
 *   WAITING --begin--> WORKING --rest--> RESTING: its client does not take what is there
 *      |                ^   |               |
 *   refuse              |  yield            | ask
 *                       |   v               v
 *                       +- RETURNING <------+
 * </pre>
 *
 * A free place goes to the client that has the fewest, and within a client to the query that waits
 * longest. Some places are for small queries alone. A client that has more places than others gives
 * them up, one after the other, only while another client waits. An answer whose client does not
 * take it needs no place, but memory: there are bounds on that too, and where another query waits
 * for that room, the client with most answers at rest loses the one that rested longest.
 */
public final class Places {
  /** What a query does as its place changes. Called without locks, on any thread. */
  public interface Holder {
    /** It may begin; it has a place. */
    void begin();

    /** It cannot begin. */
    void refuse(String why);

    /** It lost its place, or got one back: see {@link Place#mustPause}. */
    void moved();

    /** It is to end: its client takes too little, and others wait for its room. */
    void cutOff();
  }

  /** What a query costs, as far as it is known. */
  public enum Size {
    /** Milliseconds. */
    SMALL,
    LARGE,
    /** As {@link #LARGE}, until {@link Place#sized} tells. */
    UNKNOWN
  }

  private enum State {
    NEW,
    WAITING,
    WORKING,
    RESTING,
    RETURNING,
    ENDED
  }

  /** At least so long between two answers that are cut off for memory: an end takes moments. */
  private static final long CUT_MILLIS = 100;

  private static final Comparator<Client> FEWEST_FIRST =
      Comparator.<Client>comparingInt(client -> client.numbers.working)
          .thenComparingLong(client -> client.turn);
  private static final Comparator<Place> LONGEST_FIRST =
      Comparator.comparingLong(place -> place.sinceMillis);

  private final PlaceLimits limits;
  private final BooleanSupplier hasMemory;
  private final LongSupplier millis;

  // Guarded by this, as the fields of clients and places are.
  private final Map<Object, Client> clients = new HashMap<>();
  private final Numbers all = new Numbers();
  private final Numbers large = new Numbers();
  private long turn;

  /** When an answer was cut off last; null before the first. */
  private @Nullable Long cutMillis;

  /**
   * @param hasMemory whether there is memory for one more query that is not small
   * @param millis a clock that nobody sets
   */
  public Places(PlaceLimits limits, BooleanSupplier hasMemory, LongSupplier millis) {
    this.limits = limits;
    this.hasMemory = hasMemory;
    this.millis = millis;
  }

  /**
   * The place of a query to come: {@link Place#enter} asks for it, and {@link Place#end} must
   * follow.
   *
   * @param client whose share it is; clients are equal as their values are
   */
  public synchronized Place place(Object client, Size size, Holder holder) {
    return new Place(clients.computeIfAbsent(client, Client::new), size, holder);
  }

  /** Queries that were begun and have not ended. */
  public synchronized int begun() {
    return all.begun;
  }

  /** Queries that wait to begin. */
  public synchronized int waiting() {
    return all.waiting;
  }

  /** Answers that wait for their clients. */
  public synchronized int resting() {
    return all.resting;
  }

  /** Gives free places to those that wait. */
  private void grant(List<Runnable> calls) {
    for (Optional<Place> next = next(); next.isPresent(); next = next()) {
      Place place = next.get();
      calls.add(place.state == State.WAITING ? place.holder::begin : place.holder::moved);
      place.become(State.WORKING);
      place.client.turn = ++turn;
    }
  }

  private Optional<Place> next() {
    return all.working == limits.places()
        ? Optional.empty()
        : clients.values().stream()
            .filter(client -> !client.line.isEmpty())
            .sorted(FEWEST_FIRST)
            .flatMap(client -> client.line.stream().filter(this::mayWork).limit(1))
            .findFirst();
  }

  private boolean mayWork(Place place) {
    return hasPlaceFor(place) && hasRoomFor(place);
  }

  private boolean hasPlaceFor(Place place) {
    return all.working < limits.places()
        && (place.isSmall() || large.working < limits.places() - limits.reserved());
  }

  /** Whether there is room for what it will hold. */
  private boolean hasRoomFor(Place place) {
    return place.state != State.WAITING
        || (place.isSmall()
            ? all.begun < limits.begunMax() + limits.places()
            : large.begun < limits.begunMax() && hasMemory.getAsBoolean());
  }

  /** Refuses a query that waits to begin where too many do: this one, or one of a larger share. */
  private void keepBounds(Place place, List<Runnable> calls) {
    int small = all.waiting - large.waiting;
    boolean isCrowded = (place.waitsAsLarge() ? large.waiting : small) > limits.waitingMax();
    if (place.state != State.WAITING || !isCrowded) {
      return;
    }
    Client most = most(client -> client.numbers.waiting);
    Place refused =
        most.numbers.waiting < place.client.numbers.waiting + 2
            ? place
            : most.places.stream()
                .filter(other -> other.state == State.WAITING)
                .filter(other -> other.waitsAsLarge() == place.waitsAsLarge())
                .reduce(place, (first, second) -> second);
    refuse(refused, calls);
  }

  private Client most(ToIntFunction<Client> share) {
    return clients.values().stream().max(Comparator.comparingInt(share)).orElseThrow();
  }

  private void refuse(Place place, List<Runnable> calls) {
    String why =
        "no place for this query: %d queries are at work (%d of %d places take large ones), %d answers wait for their clients, %d queries wait to begin"
            .formatted(
                all.working,
                limits.places() - limits.reserved(),
                limits.places(),
                all.resting,
                all.waiting);
    place.become(State.ENDED);
    calls.add(() -> place.holder.refuse(why));
  }

  /**
   * Looks at those that wait: refuses those that waited too long, and takes places and room away
   * from larger shares. To be called now and then while any waits to begin, or for its place back.
   */
  public void look() {
    List<Runnable> calls = new ArrayList<>();
    synchronized (this) {
      long now = millis.getAsLong();
      places(State.WAITING)
          .filter(place -> now - place.sinceMillis >= limits.waitMillis())
          .toList()
          .forEach(place -> refuse(place, calls));
      for (Client client : List.copyOf(clients.values())) {
        Stream<Place> first = client.line.stream().limit(1);
        Stream<Place> small = client.line.stream().filter(Place::isSmall).limit(1);
        Stream.concat(first, small)
            .distinct()
            .filter(place -> !mayWork(place))
            .toList()
            .forEach(place -> makeRoom(place, now, calls));
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

  private void makeRoom(Place wants, long now, List<Runnable> calls) {
    if (!hasRoomFor(wants) && mayCutFor(wants, now)) {
      places(State.RESTING)
          .filter(place -> helps(place, wants))
          .filter(place -> now - place.sinceMillis >= limits.restMillis())
          .min(largestShareFirst(client -> client.numbers.resting))
          .ifPresent(
              place -> {
                place.become(State.ENDED);
                calls.add(place.holder::cutOff);
                cutMillis = now;
              });
    }
    if (!hasPlaceFor(wants)) {
      places(State.WORKING)
          .filter(place -> wants.isSmall() || !place.isSmall())
          .filter(place -> now - place.sinceMillis >= limits.sliceMillis())
          .filter(place -> mayYield(place, wants))
          .min(largestShareFirst(client -> client.numbers.working))
          .ifPresent(
              place -> {
                place.become(State.RETURNING, true);
                calls.add(place.holder::moved);
              });
    }
  }

  /** The place to take away comes first: of the client with most, the one longest in its state. */
  private static Comparator<Place> largestShareFirst(ToIntFunction<Client> share) {
    return Comparator.<Place>comparingInt(place -> -share.applyAsInt(place.client))
        .thenComparing(LONGEST_FIRST);
  }

  /** Memory is free only some time after a cut; until then another cut may be one too many. */
  private boolean mayCutFor(Place wants, long now) {
    return !lacksMemoryAlone(wants) || cutMillis == null || now - cutMillis >= CUT_MILLIS;
  }

  private boolean lacksMemoryAlone(Place wants) {
    return !wants.isSmall() && large.begun < limits.begunMax();
  }

  /** Whether the end of an answer makes room for another; small ones have room of their own. */
  private boolean helps(Place rests, Place wants) {
    return wants.isSmall() || !rests.isSmall() || lacksMemoryAlone(wants);
  }

  /**
   * Whether one is to give up its place for another: that of a client that has more of them, or,
   * among the queries of one client, for one that was begun.
   */
  private boolean mayYield(Place works, Place wants) {
    if (wants.state == State.WAITING && all.yielded >= limits.yieldedMax()) {
      return false; // it would hold memory beside the one that yields
    }
    return works.client == wants.client
        ? wants.state == State.RETURNING
        : works.client.numbers.working >= wants.client.numbers.working + 2;
  }

  /** How many places are in which state. */
  private static final class Numbers {
    private int waiting;
    private int working;
    private int resting;
    private int yielded;
    private int begun;

    private void count(Place place, int change) {
      State state = place.state;
      waiting += state == State.WAITING ? change : 0;
      working += state == State.WORKING ? change : 0;
      resting += state == State.RESTING ? change : 0;
      yielded += place.yielded ? change : 0;
      boolean isBegun =
          state == State.WORKING || state == State.RESTING || state == State.RETURNING;
      begun += isBegun ? change : 0;
    }
  }

  /** The share of one client. */
  private static final class Client {
    private final Object name;

    /** All that have not ended, in the order in which they came. */
    private final Set<Place> places = new LinkedHashSet<>();

    /** Those of them that want a place, in the order in which they asked. */
    private final Set<Place> line = new LinkedHashSet<>();

    private final Numbers numbers = new Numbers();

    /** When it got a place last, as a number that grows. */
    private long turn;

    private Client(Object name) {
      this.name = name;
    }
  }

  /** The place of one query, which it has or waits for. Thread-safe. */
  public final class Place {
    private final Client client;
    private final Holder holder;
    private Size size;
    private State state = State.NEW;
    private boolean yielded;

    /** Since when it is in its state. */
    private long sinceMillis;

    private Place(Client client, Size size, Holder holder) {
      this.client = client;
      this.size = size;
      this.holder = holder;
      client.places.add(this);
    }

    private boolean isSmall() {
      return size == Size.SMALL;
    }

    /** Until its size is known, a query waits among the small ones. */
    private boolean waitsAsLarge() {
      return state == State.WAITING && size == Size.LARGE;
    }

    private void become(State next) {
      become(next, false);
    }

    private void become(State next, boolean yields) {
      count(-1);
      state = next;
      yielded = yields;
      sinceMillis = millis.getAsLong();
      count(1);
      if (state == State.WAITING || state == State.RETURNING) {
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

    private void count(int change) {
      all.count(this, change);
      client.numbers.count(this, change);
      if (state == State.WAITING ? size == Size.LARGE : size != Size.SMALL) {
        large.count(this, change);
      }
    }

    /** Asks for the place. If it is free, the holder has begun when this returns. */
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

    /** Whether the query waits to begin. */
    public boolean isWaiting() {
      synchronized (Places.this) {
        return state == State.WAITING;
      }
    }

    /** Tells the size of a query that waits to begin; afterwards it makes no difference. */
    public void sized(Size known) {
      act(
          calls -> {
            if (state == State.WAITING) {
              count(-1);
              size = known;
              count(1);
              grant(calls);
              keepBounds(this, calls);
            }
          });
    }

    /** Gives the place back while the client of the answer takes nothing. */
    public void rest() {
      act(
          calls -> {
            if (state == State.WORKING || state == State.RETURNING) {
              become(State.RESTING);
              grant(calls);
            }
          });
    }

    /** Wants the place back, if it was given back; whether it has it. */
    public boolean ask() {
      act(
          calls -> {
            if (state == State.RESTING) {
              become(State.RETURNING);
              grant(calls);
            }
          });
      synchronized (Places.this) {
        // One that was told to yield goes on to the end of what it does.
        return state == State.WORKING || yielded;
      }
    }

    /** Whether the query is to begin nothing until its holder is called again. */
    public boolean mustPause() {
      synchronized (Places.this) {
        return yielded;
      }
    }

    /** Gives the place back for good; any number of times. */
    public void end() {
      act(
          calls -> {
            if (state != State.ENDED) {
              become(State.ENDED);
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
