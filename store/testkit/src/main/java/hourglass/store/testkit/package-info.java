/**
 * The contract tests of all engines, and an obviously correct store. Start with {@link
 * hourglass.store.testkit.WideColumnStoreContract}.
 */
@NullMarked
package hourglass.store.testkit;

import org.jspecify.annotations.NullMarked;
