/**
 * What the embedded engine keeps of erasures. Begin with {@link
 * hourglass.store.embedded.erasure.StoredErasures}.
 */
@NullMarked
package hourglass.store.embedded.erasure;

import org.jspecify.annotations.NullMarked;
