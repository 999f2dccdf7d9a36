package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** Parses the consistency level of reads and writes. */
final class Consistency {
  /** The levels valid for both reads and writes, which excludes ANY and the serial levels. */
  private static final Set<DefaultConsistencyLevel> ALLOWED =
      EnumSet.of(
          DefaultConsistencyLevel.ONE,
          DefaultConsistencyLevel.TWO,
          DefaultConsistencyLevel.THREE,
          DefaultConsistencyLevel.QUORUM,
          DefaultConsistencyLevel.ALL,
          DefaultConsistencyLevel.LOCAL_ONE,
          DefaultConsistencyLevel.LOCAL_QUORUM);

  private Consistency() {}

  /**
   * @throws IllegalArgumentException naming the allowed levels
   */
  static ConsistencyLevel parse(String name) {
    return ALLOWED.stream()
        .filter(level -> level.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "consistency: \""
                        + name
                        + "\", want one of "
                        + Arrays.toString(ALLOWED.toArray())));
  }
}
