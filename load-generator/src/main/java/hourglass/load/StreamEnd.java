package hourglass.load;

import io.vertx.core.MultiMap;

/** What came around a streamed body. */
record StreamEnd(MultiMap headers, MultiMap trailers) {}
