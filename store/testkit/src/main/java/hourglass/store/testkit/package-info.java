/**
 * The contract tests that every engine passes, and an obviously correct store for comparison. Start
 * with {@link hourglass.store.testkit.WideColumnStoreContract}.
 */
@NullMarked
package hourglass.store.testkit;

import org.jspecify.annotations.NullMarked;
