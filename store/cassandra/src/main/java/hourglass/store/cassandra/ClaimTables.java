package hourglass.store.cassandra;

/**
 * The tables that a claim goes through, by the requests of its {@link ClaimLane}.
 *
 * @param hours for the generation of the hour
 * @param directory for columns that nobody claimed
 * @param claims what is told
 */
record ClaimTables(HoursTable hours, DirectoryTable directory, ClaimsTable claims) {}
