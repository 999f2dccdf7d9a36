/**
 * Events as lines with labels, and queries of LogQL on them. Begin with LogLine, which defines the
 * labels, and LogFilter.
 */
@NullMarked
package hourglass.query.loki;

import org.jspecify.annotations.NullMarked;
