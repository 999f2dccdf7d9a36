/**
 * The times at which events without a time of their own were first found. Begin with {@code
 * FirstTimeIndex}.
 */
@NullMarked
package hourglass.store.embedded.firsttimes;

import org.jspecify.annotations.NullMarked;
