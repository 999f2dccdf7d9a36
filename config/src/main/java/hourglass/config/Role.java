package hourglass.config;

/** A part that a process plays. */
enum Role {
  INGEST,
  QUERY,
  DASHBOARD
}
