/**
 * Shares of the places, threads and memory that queries work with, by client: they bind only while
 * others wait.
 */
@NullMarked
package hourglass.query.fair;

import org.jspecify.annotations.NullMarked;
