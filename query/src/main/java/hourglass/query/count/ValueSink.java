package hourglass.query.count;

/** Collects the values of a field, many before it adds them up. Used by one thread at a time. */
interface ValueSink {
  /** Adds events with the JSON value in {@code [from, to)}. */
  void take(byte[] json, int from, int to, int events);

  void takeAbsent(long events);

  /** Adds up the values so far; also called at the end. */
  void flush();
}
