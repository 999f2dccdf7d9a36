/**
 * Filters as people type them, such as {@code status>500 level:(error OR warn) -path:/health
 * timeout}. {@link hourglass.query.typed.TypedFilter} reads them, and finds the types, the words
 * and the expression of {@code where} that they mean.
 */
@NullMarked
package hourglass.query.typed;

import org.jspecify.annotations.NullMarked;
