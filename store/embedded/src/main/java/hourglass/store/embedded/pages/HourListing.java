package hourglass.store.embedded.pages;

import hourglass.bucketing.Hour;
import java.io.IOException;

/** Records the files of each hour, so that a later start notices missing ones. */
public interface HourListing {
  /** Records nothing. */
  HourListing NONE =
      new HourListing() {
        @Override
        public void listed(HourFiles files) {}

        @Override
        public void force() {}

        @Override
        public long groups(String retentionClass, Hour hour) {
          return 0;
        }
      };

  /**
   * Records the durable files of a folder. The record takes effect with the next {@link #force}.
   */
  void listed(HourFiles files);

  /** Makes the recorded files durable. */
  void force() throws IOException;

  /** The least number of groups that an inventory must have. */
  long groups(String retentionClass, Hour hour);
}
