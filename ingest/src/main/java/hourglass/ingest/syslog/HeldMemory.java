package hourglass.ingest.syslog;

import hourglass.ingest.decode.Memory;
import hourglass.ingest.service.InFlightBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of messages that are not stored yet: a share of the in-flight budget, so that a store
 * that is away leaves room for requests. Thread-safe.
 */
final class HeldMemory {
  /** Connections are no clients of the budget, which would give each a share. */
  private static final String CLIENT = "syslog";

  private final InFlightBudget budget;
  private final long max;
  private final AtomicLong used = new AtomicLong();

  HeldMemory(InFlightBudget budget, long max) {
    this.budget = budget;
    this.max = max;
  }

  long used() {
    return used.get();
  }

  /** Of a connection or a batch. */
  Holding holding() {
    return new Holding(budget.reservation(CLIENT));
  }

  /** The memory of one connection, or of one batch. Thread-safe. */
  final class Holding implements Memory {
    private final InFlightBudget.Reservation reservation;
    private final AtomicLong held = new AtomicLong();

    private Holding(InFlightBudget.Reservation reservation) {
      this.reservation = reservation;
    }

    @Override
    public boolean add(long bytes) {
      if (used.addAndGet(bytes) > max || !reservation.add(bytes)) {
        used.addAndGet(-bytes);
        return false;
      }
      held.addAndGet(bytes);
      return true;
    }

    @Override
    public void subtract(long bytes) {
      reservation.subtract(bytes);
      used.addAndGet(-bytes);
      held.addAndGet(-bytes);
    }

    @Override
    public RuntimeException tooMuch() {
      return reservation.tooMuch();
    }

    @Override
    public RuntimeException tooLarge(String problem) {
      return reservation.tooLarge(problem);
    }

    void release() {
      reservation.release();
      used.addAndGet(-held.getAndSet(0));
    }
  }
}
