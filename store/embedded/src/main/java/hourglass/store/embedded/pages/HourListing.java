package hourglass.store.embedded.pages;

import hourglass.bucketing.Hour;
import java.io.IOException;

/** Is given what each hour's folder has, so that what is gone later is missed. */
public interface HourListing {
  /** Forgets it all. */
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

  /** Takes what is durable in a folder now; it is missed from the next {@link #force} on. */
  void listed(HourFiles files);

  /** Makes durable what was listed. */
  void force() throws IOException;

  /** How many groups an inventory must have at least. */
  long groups(String retentionClass, Hour hour);
}
