package hourglass.query.advice;

import hourglass.bucketing.TypeHour;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The type hours with the most columns in unsealed rows.
 *
 * @param types widest first; equally wide ones in the order of their hours and types
 * @param seen number of type hours with an unsealed row, including narrower ones
 */
public record WidestTypes(List<TypeHour> types, int seen) {

  /**
   * A candidate.
   *
   * @param place index in the order of iteration, from 0
   */
  private record Wide(TypeHour type, long columns, int place) {}

  private static final Comparator<Wide> LEAST_WIDE_FIRST =
      Comparator.comparingLong(Wide::columns)
          .thenComparing(Comparator.comparingInt(Wide::place).reversed());

  /** Selects at most {@code typesMax} type hours. */
  public static WidestTypes of(List<HourRows> hours, int typesMax) {
    PriorityQueue<Wide> widest = new PriorityQueue<>(LEAST_WIDE_FIRST);
    int seen = 0;
    for (HourRows hour : hours) {
      for (List<RowFill> rows : hour.byType()) {
        if (rows.stream().allMatch(row -> row.entry().sealed())) {
          continue;
        }
        long columns =
            rows.stream().filter(row -> !row.entry().sealed()).mapToLong(RowFill::columns).sum();
        widest.add(new Wide(rows.get(0).entry().row().typeHour(), columns, seen++));
        if (widest.size() > typesMax) {
          widest.remove();
        }
      }
    }
    List<TypeHour> types =
        widest.stream().sorted(LEAST_WIDE_FIRST.reversed()).map(Wide::type).toList();
    return new WidestTypes(types, seen);
  }
}
