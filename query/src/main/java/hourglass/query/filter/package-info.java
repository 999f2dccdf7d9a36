/**
 * Predicates over the fields of events, and the part of them that a store can evaluate. Begin with
 * Condition.
 */
@NullMarked
package hourglass.query.filter;

import org.jspecify.annotations.NullMarked;
