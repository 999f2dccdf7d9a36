/**
 * The DataStax driver as the engine uses it. Start with {@link
 * hourglass.store.cassandra.driver.Cql}.
 */
@NullMarked
package hourglass.store.cassandra.driver;

import org.jspecify.annotations.NullMarked;
