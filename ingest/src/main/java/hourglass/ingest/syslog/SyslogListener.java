package hourglass.ingest.syslog;

/** Messages of one address. Thread-safe. */
interface SyslogListener {
  /** With the port that is bound. */
  SyslogAddress address();

  /** Reads nothing more; returns at once. */
  void stop();

  /** Whether all that was read is stored, after {@link #stop}. */
  boolean isStored();
}
