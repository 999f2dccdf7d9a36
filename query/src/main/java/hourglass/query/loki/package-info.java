/**
 * Queries of LogQL on events as lines with labels. Begin with LogLine, which a query changes, and
 * LogFilter.
 */
@NullMarked
package hourglass.query.loki;

import org.jspecify.annotations.NullMarked;
