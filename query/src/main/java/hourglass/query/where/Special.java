package hourglass.query.where;

/**
 * The values of CEL for which Java has no class. All others are Boolean, Long, UnsignedLong,
 * Double, String, CelByteString, Instant, Duration, List, Map and {@link TypeName}.
 */
enum Special {
  NULL,

  /** The error that replaces a value. Only {@code &&}, {@code ||} and loops continue with it. */
  ERROR
}
