package hourglass.store.testkit;

import hourglass.bucketing.TimeUuid;
import java.util.Comparator;

/**
 * The order of names in its simplest form: the timestamp, then the other eight bytes from the left
 * as signed bytes.
 */
enum TimeUuidOrder implements Comparator<TimeUuid> {
  INSTANCE;

  @Override
  public int compare(TimeUuid a, TimeUuid b) {
    int order = Long.compare(a.ticks(), b.ticks());
    for (int shift = 56; order == 0 && shift >= 0; shift -= 8) {
      order = Byte.compare((byte) (a.lsb() >> shift), (byte) (b.lsb() >> shift));
    }
    return order;
  }
}
