package hourglass.load;

import io.vertx.core.MultiMap;

/** What came around a streamed body. */
record StreamEnd(MultiMap headers, MultiMap trailers) {
  private static final String COMPLETE = "hourglass-complete";

  /** Whether the target says that some row did not answer. */
  boolean saysIncomplete() {
    return headers.contains(COMPLETE, "false", true) || trailers.contains(COMPLETE, "false", true);
  }
}
