package hourglass.config.settings;

/** A role that a process plays. */
public enum Role {
  INGEST,
  QUERY,
  DASHBOARD
}
