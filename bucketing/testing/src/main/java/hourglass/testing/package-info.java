/** Helpers that tests of all modules share: seeds, tiers, patience, clocks, ports, HTTP by hand. */
@NullMarked
package hourglass.testing;

import org.jspecify.annotations.NullMarked;
