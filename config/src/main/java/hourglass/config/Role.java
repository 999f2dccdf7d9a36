package hourglass.config;

/** A part that a process plays. */
public enum Role {
  INGEST,
  QUERY,
  DASHBOARD
}
