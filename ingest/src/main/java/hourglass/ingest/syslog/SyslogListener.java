package hourglass.ingest.syslog;

/** Receives the messages of one address. Thread-safe. */
interface SyslogListener {
  /** Returns the address with the port that is bound. */
  SyslogAddress address();

  /** Stops reading, and returns at once. */
  void stop();

  /** Returns whether all bytes that were read are stored, after {@link #stop}. */
  boolean isStored();
}
