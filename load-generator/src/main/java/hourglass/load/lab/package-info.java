/**
 * The laboratory: writes the same traffic by several layouts of rows and compares the load of nodes
 * and rows. Begin with {@link hourglass.load.lab.CompareCommand}.
 */
@NullMarked
package hourglass.load.lab;

import org.jspecify.annotations.NullMarked;
