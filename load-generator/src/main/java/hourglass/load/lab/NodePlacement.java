package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import java.util.List;

/** Which nodes keep a row; they are numbered from 0. */
interface NodePlacement {
  /** At least one. */
  List<String> names();

  /** The owner first; at least one, and not to be changed. */
  int[] of(RowKey row);
}
