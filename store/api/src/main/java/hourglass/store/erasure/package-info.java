/**
 * Erasure of single events: what an engine notes and removes, and what hides it meanwhile. Begin
 * with {@link hourglass.store.erasure.ErasingStore}.
 */
@NullMarked
package hourglass.store.erasure;

import org.jspecify.annotations.NullMarked;
