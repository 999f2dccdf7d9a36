/**
 * A simulated cluster: a ring of nodes like that of Apache Cassandra, and writers that share the
 * claims of rows. The planner's tests and the laboratory use it; a server does not. Begin with
 * {@link hourglass.bucketing.simulation.Simulation}.
 */
@NullMarked
package hourglass.bucketing.simulation;

import org.jspecify.annotations.NullMarked;
