/**
 * Events as lines of a log: where a payload has its line and its labels, and which level it tells.
 * Begin with LineParts and DetectedLevel.
 */
@NullMarked
package hourglass.query.line;

import org.jspecify.annotations.NullMarked;
