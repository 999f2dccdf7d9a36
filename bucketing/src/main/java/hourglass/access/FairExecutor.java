package hourglass.access;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shares threads between clients, and the share of a client between its lanes, one for each
 * request. The least used runs first. Tasks of a lane begin in order of arrival. A new lane gets a
 * head start, so that a small request waits for only one task of its client. Thread-safe.
 *
 * <p>A client runs a bounded number of tasks at a time. With more threads than that, another client
 * finds a free thread at once, however long the tasks of the first one are, and the operating
 * system shares the processors between them.
 *
 * <p>Shares are virtual times, as in a fair process scheduler. After a pause a share continues at
 * the virtual time of the active ones, so idle time earns no credit.
 */
public final class FairExecutor implements Executor {
  /** The head start of a new lane. A page of events needs some milliseconds. */
  private static final long NEWCOMER_NANOS = 20_000_000;

  /**
   * The turns that each lane or client adds to the longest wait, which begins at {@link
   * #TURNS_MIN}. One that has waited longer runs first; otherwise a stream of small newcomers would
   * starve it.
   */
  private static final int TURNS_EACH = 4;

  private static final int TURNS_MIN = 64;

  /** The limit on the excess use that counts against a lane. */
  private static final long DEBT_NANOS_MAX = 1_000_000_000;

  private final Executor threads;
  private final int ofClientMax;
  private final LongSupplier nanos;
  private final Lane own = new Lane("");

  /** The clients that run or wait. The lock of this object guards the map and all fields below. */
  private final Map<Object, Client> clients = new HashMap<>();

  /** The virtual time of the client that ran last. */
  private long reachedNanos;

  private long order;

  /** The number of turns of threads that found only tasks of clients at their bound. */
  private int deferred;

  /**
   * Creates an executor.
   *
   * @param threads an executor with an unbounded queue
   * @param ofClientMax the most tasks of one client that run at the same time
   * @param nanos a monotonic clock: the time that passes, or the processor time of the calling
   *     thread
   */
  public FairExecutor(Executor threads, int ofClientMax, LongSupplier nanos) {
    this.threads = threads;
    this.ofClientMax = ofClientMax;
    this.nanos = nanos;
  }

  /** Shares threads without a bound on the tasks of one client. */
  public static FairExecutor over(Executor threads) {
    return new FairExecutor(threads, Integer.MAX_VALUE, System::nanoTime);
  }

  /** Creates a lane for one request. Clients are compared by equality. */
  public Lane lane(Object client) {
    return new Lane(client);
  }

  /** Runs a task in the one lane of all tasks without a client. */
  @Override
  public void execute(Runnable task) {
    own.execute(task);
  }

  private void submit() {
    threads.execute(this::runNext);
  }

  /** Runs the next task, if there is one. It is called once per task. */
  private void runNext() {
    Task task = next();
    if (task == null) {
      return;
    }
    if (task.work instanceof Turn turn) {
      turn.granted.release(); // the turn goes on in the thread that waits for it
      return;
    }
    long begin = nanos.getAsLong();
    try {
      task.work.run();
    } finally {
      if (ran(task.lane, nanos.getAsLong() - begin)) {
        submitDeferred();
      }
    }
  }

  private void submitDeferred() {
    try {
      submit();
    } catch (RejectedExecutionException e) {
      // The process stops, so no further task begins.
    }
  }

  private synchronized @Nullable Task next() {
    Client client = null;
    Lane lane = null;
    boolean isDeferred = false;
    for (Client other : clients.values()) {
      Lane first = other.first();
      if (first == null) {
        continue;
      }
      if (other.running >= ofClientMax) {
        isDeferred = true;
      } else if (client == null || other.isBefore(client, order, clients.size())) {
        client = other;
        lane = first;
      }
    }
    if (client == null || lane == null) {
      deferred += isDeferred ? 1 : 0;
      return null;
    }
    started(client, lane);
    return new Task(lane, lane.take(client));
  }

  private void started(Client client, Lane lane) {
    reachedNanos = Math.max(reachedNanos, client.usedNanos);
    client.reachedNanos = Math.max(client.reachedNanos, lane.usedNanos);
    client.turn = lane.turn = ++order;
    client.since = order;
    lane.since = ++client.turns;
    client.running++;
  }

  /** Returns whether a deferred turn may be taken now. */
  private synchronized boolean ran(Lane lane, long tookNanos) {
    lane.usedNanos += tookNanos;
    Client client = clients.get(lane.client);
    if (client != null) {
      client.usedNanos += tookNanos;
      client.running--;
      forgetIfIdle(client);
    }
    if (deferred == 0) {
      return false;
    }
    deferred--;
    return true;
  }

  private void forgetIfIdle(Client client) {
    if (client.running == 0 && client.ready.isEmpty()) {
      clients.remove(client.name);
    }
  }

  private record Task(Lane lane, Runnable work) {}

  /** A turn of a thread that does not belong to the executor. */
  private record Turn(Semaphore granted) implements Runnable {
    @Override
    public void run() {
      throw new IllegalStateException("a turn runs in its own thread");
    }
  }

  /** A virtual time. The executor guards it. */
  private abstract static class Share {
    long usedNanos;

    /** The number of the last turn of this share. */
    long turn;

    /** The number of turns there had been when this share began to wait. */
    long since;

    private Share(long usedNanos) {
      this.usedNanos = usedNanos;
    }

    /**
     * Returns whether this share runs before another one.
     *
     * @param turns the turns of all that share
     * @param sharing the number of those that share
     */
    final boolean isBefore(Share other, long turns, int sharing) {
      long sinceMin = turns - TURNS_MIN - (long) TURNS_EACH * sharing;
      if (since < sinceMin || other.since < sinceMin) {
        return since < other.since;
      }
      return usedNanos != other.usedNanos ? usedNanos < other.usedNanos : turn < other.turn;
    }
  }

  private static final class Client extends Share {
    private final Object name;
    private final Deque<Lane> ready = new ArrayDeque<>();
    private long reachedNanos;
    private long turns;
    private int running;

    private Client(Object name, long usedNanos, long since) {
      super(usedNanos);
      this.name = name;
      this.since = since;
    }

    private @Nullable Lane first() {
      Lane first = null;
      for (Lane lane : ready) {
        if (!lane.paused && (first == null || lane.isBefore(first, turns, ready.size()))) {
          first = lane;
        }
      }
      return first;
    }
  }

  /** The executor of one request. Thread-safe. */
  public final class Lane extends Share implements Executor {
    private final Object client;

    // The executor guards both.
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean paused;

    private Lane(Object client) {
      super(Long.MIN_VALUE);
      this.client = client;
    }

    /**
     * Adds a task to the lane.
     *
     * @throws RejectedExecutionException once the threads are shut down
     */
    @Override
    public void execute(Runnable task) {
      boolean isPaused;
      synchronized (FairExecutor.this) {
        add(task);
        isPaused = paused;
      }
      if (!isPaused) {
        try {
          submit();
        } catch (RejectedExecutionException e) {
          drop(task);
          throw e;
        }
      }
    }

    /**
     * Waits for the next turn of this lane, and begins it in the calling thread, which must end it.
     *
     * @return when the turn began, for {@link #end}
     * @throws RejectedExecutionException once the threads are shut down
     */
    public long begin() {
      if (!beginsAtOnce()) {
        Turn turn = new Turn(new Semaphore(0));
        execute(turn);
        turn.granted.acquireUninterruptibly();
      }
      return nanos.getAsLong();
    }

    /** Ends a turn of the calling thread. */
    public void end(long begunNanos) {
      if (ran(this, nanos.getAsLong() - begunNanos)) {
        submitDeferred();
      }
    }

    /** Begins a turn if no other lane of the client waits for one. */
    private boolean beginsAtOnce() {
      synchronized (FairExecutor.this) {
        Client mine = clients.get(client);
        if (paused || (mine != null && (mine.running >= ofClientMax || !mine.ready.isEmpty()))) {
          return false;
        }
        mine = mine();
        catchUp(mine);
        started(mine, this);
        return true;
      }
    }

    private Client mine() {
      return clients.computeIfAbsent(
          client, name -> new Client(name, FairExecutor.this.reachedNanos, order));
    }

    /** Gives the lane its head start, and limits the time that counts against it. */
    private void catchUp(Client mine) {
      usedNanos = Math.max(usedNanos, mine.reachedNanos - NEWCOMER_NANOS);
      usedNanos = Math.min(usedNanos, mine.reachedNanos + DEBT_NANOS_MAX);
    }

    private void add(Runnable task) {
      Client mine = mine();
      if (tasks.isEmpty()) {
        catchUp(mine);
        since = mine.turns;
        if (mine.ready.isEmpty()) {
          mine.since = order;
        }
        mine.ready.add(this);
      }
      tasks.add(task);
    }

    private Runnable take(Client mine) {
      Runnable task = tasks.remove();
      if (tasks.isEmpty()) {
        mine.ready.remove(this);
      }
      return task;
    }

    private void drop(Runnable task) {
      synchronized (FairExecutor.this) {
        tasks.remove(task);
        Client mine = clients.get(client);
        if (mine != null && tasks.isEmpty()) {
          mine.ready.remove(this);
          forgetIfIdle(mine);
        }
      }
    }

    /** Starts no more tasks until {@link #resume}. Running tasks continue. */
    public void pause() {
      synchronized (FairExecutor.this) {
        paused = true;
      }
    }

    public void resume() {
      int waiting;
      synchronized (FairExecutor.this) {
        waiting = paused ? tasks.size() : 0;
        paused = false;
      }
      try {
        for (int i = 0; i < waiting; i++) {
          submit();
        }
      } catch (RejectedExecutionException e) {
        // The process stops, and every answer is broken off.
      }
    }
  }
}
