/** The documented benchmark. Begin with {@link hourglass.load.bench.BenchCommand}. */
@NullMarked
package hourglass.load.bench;

import org.jspecify.annotations.NullMarked;
