package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** The levels that reads and writes may have. */
final class Consistency {
  /** Those that take both reads and writes; ANY and the serial ones do not. */
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
   * @throws IllegalArgumentException naming what is allowed
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
