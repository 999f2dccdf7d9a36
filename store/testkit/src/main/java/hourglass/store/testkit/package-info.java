/**
 * What a wide-column store is, as tests: the contract that every engine passes, and an obviously
 * correct store to compare with. Begin with {@link
 * hourglass.store.testkit.WideColumnStoreContract}.
 */
@NullMarked
package hourglass.store.testkit;

import org.jspecify.annotations.NullMarked;
