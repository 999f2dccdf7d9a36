/**
 * Events as lines of a log: the places of the line and the labels in a payload, and the level of an
 * event. Begin with LineParts and DetectedLevel.
 */
@NullMarked
package hourglass.query.line;

import org.jspecify.annotations.NullMarked;
