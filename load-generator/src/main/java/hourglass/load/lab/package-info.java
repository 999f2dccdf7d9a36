/**
 * The laboratory, which compares the load of nodes and rows by several layouts. Begin with {@link
 * hourglass.load.lab.CompareCommand}.
 */
@NullMarked
package hourglass.load.lab;

import org.jspecify.annotations.NullMarked;
