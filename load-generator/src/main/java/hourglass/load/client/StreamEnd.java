package hourglass.load.client;

import io.vertx.core.MultiMap;

/** The headers and trailers of a streamed body. */
public record StreamEnd(MultiMap headers, MultiMap trailers) {
  private static final String COMPLETE = "hourglass-complete";

  /** Whether some row did not answer. */
  public boolean saysIncomplete() {
    return headers.contains(COMPLETE, "false", true) || trailers.contains(COMPLETE, "false", true);
  }
}
