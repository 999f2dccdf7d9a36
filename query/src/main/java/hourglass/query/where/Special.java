package hourglass.query.where;

/**
 * The values of CEL that no class of Java has. All others are Boolean, Long, UnsignedLong, Double,
 * String, CelByteString, Instant, Duration, List, Map and {@link TypeName}.
 */
enum Special {
  NULL,

  /**
   * An error takes the place of a value. Only {@code &&}, {@code ||} and loops continue with it.
   */
  ERROR
}
