/**
 * {@code hourglass import}: sends files and the standard input to a server, and reports what became
 * of them. Begin with {@link hourglass.load.importing.ImportCommand}. The server decodes; this side
 * only finds where events begin and end.
 */
@NullMarked
package hourglass.load.importing;

import org.jspecify.annotations.NullMarked;
