package hourglass.config.settings;

/** A part that a process plays. */
public enum Role {
  INGEST,
  QUERY,
  DASHBOARD
}
