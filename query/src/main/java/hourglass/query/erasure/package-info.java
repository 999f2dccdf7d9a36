/**
 * Erasure of the events of a selection: what it would erase, and the names of these events. Begin
 * with {@link hourglass.query.erasure.ErasureService}.
 */
@NullMarked
package hourglass.query.erasure;

import org.jspecify.annotations.NullMarked;
