package hourglass.bucketing.simulation;

/** The delays and failures of claims on their way to the directory and back. */
@FunctionalInterface
public interface ClaimPath {
  /** The hops of a claim request, in order. */
  enum Hop {
    /** The time from the writer's request until the claims are durable. */
    PUBLISH,
    /** The time from then until the claims of all writers are read. */
    READ,
    /** The time from then until the writer has the answer. */
    ANSWER
  }

  /** The path of claims that are durable and answered at once. */
  ClaimPath AT_ONCE = hop -> 0;

  /** Returns the time of the next request on a hop, in microseconds, 0 or more. */
  long micros(Hop hop);

  /** Returns whether the next request fails on a hop. */
  default boolean fails(Hop hop) {
    return false;
  }
}
