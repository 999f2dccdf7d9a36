package hourglass.store.embedded.late;

import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Collects late arrivals for an answer of limited length, in order. Not thread-safe. */
final class LateArrivalPage implements Predicate<LateArrival> {
  private final LateArrivalPlace settledEnd;
  private final int namesMax;
  private final List<LateArrival> settled = new ArrayList<>();
  private final List<LateArrival> unsettled = new ArrayList<>();
  private int names;
  private boolean isMore;

  /** Creates an empty page; the answer ends with the record that reaches a number of names. */
  LateArrivalPage(LateArrivalPlace settledEnd, int namesMax) {
    this.settledEnd = settledEnd;
    this.namesMax = namesMax;
  }

  boolean isFull() {
    return names >= namesMax;
  }

  /** Takes a record; false if it is settled and the page is full. */
  @Override
  public boolean test(LateArrival late) {
    if (late.place().compareTo(settledEnd) > 0) {
      unsettled.add(late);
      return true;
    }
    if (isFull()) {
      isMore = true;
      return false;
    }
    settled.add(late);
    names += late.names().size();
    return true;
  }

  /** The answer, given the place of the last available record. */
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
