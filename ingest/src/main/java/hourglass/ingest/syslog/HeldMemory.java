package hourglass.ingest.syslog;

import hourglass.access.SharedRoom;
import hourglass.ingest.decode.Memory;
import hourglass.ingest.service.InFlightBudget;

/**
 * The memory of messages that are not stored yet: a share of the in-flight budget, so that requests
 * have room while the store is away. Thread-safe.
 */
final class HeldMemory {
  /** The client of the budget. Connections are no clients of it, which would give each a share. */
  private static final String CLIENT = "syslog";

  private final InFlightBudget budget;
  private final SharedRoom part;

  HeldMemory(InFlightBudget budget, long max) {
    this.budget = budget;
    part = new SharedRoom(max);
  }

  long used() {
    return part.total();
  }

  /** Opens the memory of a connection or a batch, which holds none yet. */
  Holding holding() {
    return new Holding(budget.reservation(CLIENT));
  }

  /** The memory of one connection, or of one batch. Thread-safe. */
  final class Holding implements Memory {
    private final InFlightBudget.Reservation reservation;
    private final SharedRoom.Account account = part.open(SharedRoom.NOBODY);

    private Holding(InFlightBudget.Reservation reservation) {
      this.reservation = reservation;
    }

    @Override
    public boolean add(long bytes) {
      if (!account.tryTake(bytes)) {
        return false;
      }
      if (!reservation.add(bytes)) {
        account.give(bytes);
        return false;
      }
      return true;
    }

    @Override
    public void subtract(long bytes) {
      reservation.subtract(bytes);
      account.give(bytes);
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
      account.close();
    }
  }
}
