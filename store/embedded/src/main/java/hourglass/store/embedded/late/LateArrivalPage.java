package hourglass.store.embedded.late;

import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Collects notes in order for an answer, as long as it may be. Not thread-safe. */
final class LateArrivalPage implements Predicate<LateArrival> {
  private final LateArrivalPlace settledEnd;
  private final int namesMax;
  private final List<LateArrival> settled = new ArrayList<>();
  private final List<LateArrival> unsettled = new ArrayList<>();
  private int names;
  private boolean isMore;

  /**
   * @param settledEnd notes up to there are settled
   * @param namesMax the answer ends with the note that reaches so many names
   */
  LateArrivalPage(LateArrivalPlace settledEnd, int namesMax) {
    this.settledEnd = settledEnd;
    this.namesMax = namesMax;
  }

  boolean isFull() {
    return names >= namesMax;
  }

  /** Takes a note; false if it is settled and does not fit any more. */
  @Override
  public boolean test(LateArrival note) {
    if (note.place().compareTo(settledEnd) > 0) {
      unsettled.add(note);
      return true;
    }
    if (isFull()) {
      isMore = true;
      return false;
    }
    settled.add(note);
    names += note.names().size();
    return true;
  }

  /**
   * @param last the place of the last note that was to be had
   */
  LateArrivals answer(boolean forgotten, long settledTicks, LateArrivalPlace last) {
    LateArrivalPlace end = settled.isEmpty() ? settledEnd : settled.get(settled.size() - 1).place();
    boolean more = isMore || isFull() && end.compareTo(min(last, settledEnd)) < 0;
    return new LateArrivals(
        settled,
        more ? end : settledEnd,
        more ? List.of() : unsettled,
        more,
        forgotten,
        settledTicks);
  }

  private static LateArrivalPlace min(LateArrivalPlace a, LateArrivalPlace b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
