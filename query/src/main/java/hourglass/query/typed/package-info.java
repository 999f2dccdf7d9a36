/**
 * Filters as people type them, such as {@code status>500 level:(error OR warn) -path:/health
 * timeout}. {@link hourglass.query.typed.TypedFilter} reads them, and says which types, words and
 * expression of {@code where} they mean.
 */
@NullMarked
package hourglass.query.typed;

import org.jspecify.annotations.NullMarked;
