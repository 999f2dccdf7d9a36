package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.SpareRoom;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.memory.Hours;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Drops hours and types of hours on request: first it is noted, then the pages go, then what only
 * the log has. If a drop fails, a part may be left; a repeat drops it too. It works on a full disk.
 * Not thread-safe.
 */
public final class RequestedDrops {
  private final Hours hours;
  private final StoreCatalogue catalogue;
  private final HourDeletion deletion;
  private final TypeRemoval removal;
  private final SpareRoom spare;

  public RequestedDrops(
      Hours hours,
      StoreCatalogue catalogue,
      HourDeletion deletion,
      TypeRemoval removal,
      SpareRoom spare) {
    this.hours = hours;
    this.catalogue = catalogue;
    this.deletion = deletion;
    this.removal = removal;
    this.spare = spare;
  }

  /** Drops an hour durably, also if its pages are missing or cannot be read. */
  public void drop(Hour hour) throws IOException {
    if (!hours.known(hour, hour).isEmpty()) {
      deletion.drop(List.of(hour));
    } else {
      deletion.freeBytes(); // of a drop that could not free them
    }
    deletion.dropFromLog(List.of(hour));
  }

  /** Begins to free bytes of hours that a process dropped which ended before. */
  public void freeBytesLeft() {
    deletion.freeBytesLeft();
  }

  /** Goes on to free bytes of hours that were dropped, also for a budget, for a limited time. */
  public void freeSome() {
    deletion.freeSome();
  }

  /** Whether there is more to do for {@link #freeSome}. */
  public boolean isFreeing() {
    return deletion.isFreeing();
  }

  /**
   * Drops a type of an hour durably.
   *
   * @throws UnavailableException if a part of the hour is missing, which may have pages of the type
   */
  public void drop(TypeHour of) throws IOException {
    Hour hour = of.hour();
    if (hours.isIncomplete(hour)) {
      throw new UnavailableException(
          hour + ": a part is missing, which may have this type; restore it, or drop all types");
    }
    boolean isThere =
        !hours.known(hour, hour).isEmpty()
            && hours.with(hour, state -> !state.rows(of.type()).isEmpty());
    boolean isLost =
        catalogue.lost(hour, hour).stream().anyMatch(page -> page.row().type().equals(of.type()));
    if (isThere || isLost) {
      deletion.note(of);
      Map<ClassHour, Set<String>> pages = new HashMap<>();
      catalogue
          .classes(hour)
          .forEach(each -> pages.put(new ClassHour(each, hour), Set.of(of.type())));
      spare.writing(() -> removeAll(pages));
    }
    deletion.dropFromLog(of);
    spare.keep();
  }

  private void removeAll(Map<ClassHour, Set<String>> types) throws IOException {
    Set<ClassHour> unreadable = removal.remove(types);
    if (!unreadable.isEmpty()) {
      throw new UnavailableException(
          unreadable + ": cannot be read, so no type can be dropped from it; drop all types");
    }
  }
}
