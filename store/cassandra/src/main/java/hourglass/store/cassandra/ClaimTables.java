package hourglass.store.cassandra;

/**
 * The tables that a claim uses, with requests on the {@link ClaimLane}.
 *
 * @param hours holds the generation of the hour
 * @param directory lists columns without a claim
 * @param claims holds the published claims
 */
record ClaimTables(HoursTable hours, DirectoryTable directory, ClaimsTable claims) {}
