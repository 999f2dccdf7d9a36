/**
 * The command {@code hourglass import}, which sends files and the standard input to a server and
 * reports their outcomes. Begin with {@link hourglass.load.importing.ImportCommand}. The server
 * decodes the events; this side only finds where they begin and end.
 */
@NullMarked
package hourglass.load.importing;

import org.jspecify.annotations.NullMarked;
