package hourglass.bucketing.planner;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are filled side by side, by whoever claimed them alone. They were chosen together so
 * that they load the nodes evenly, so they are left together: when one is full, the next round
 * should begin.
 */
final class Round {
  private final List<OpenRow> rows;

  Round(List<OpenRow> rows) {
    this.rows = List.copyOf(rows);
  }

  int size() {
    return rows.size();
  }

  List<OpenRow> rows() {
    return rows;
  }

  boolean isWhole() {
    for (OpenRow row : rows) {
      if (!row.isOpen()) {
        return false;
      }
    }
    return true;
  }

  Room left() {
    Room left = Room.NONE;
    for (OpenRow row : rows) {
      left = left.plus(row.left());
    }
    return left;
  }

  /** The open row with the least in it; null if all are full. */
  @Nullable OpenRow emptiest() {
    OpenRow emptiest = null;
    for (OpenRow row : rows) {
      if (row.isOpen() && (emptiest == null || row.used().columns() < emptiest.used().columns())) {
        emptiest = row;
      }
    }
    return emptiest;
  }

  /** The first open row; null if all are full. */
  @Nullable OpenRow first() {
    for (OpenRow row : rows) {
      if (row.isOpen()) {
        return row;
      }
    }
    return null;
  }
}
