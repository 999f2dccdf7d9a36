package hourglass.query.logql;

/** A query of LogQL, for lines or for samples. Its text is the query in its usual form. */
public sealed interface Query permits LogSelector, Metric {}
