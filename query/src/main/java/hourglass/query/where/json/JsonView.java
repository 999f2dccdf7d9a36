package hourglass.query.where.json;

import dev.cel.common.types.CelType;
import dev.cel.common.values.CelValue;
import org.jspecify.annotations.Nullable;

/**
 * A JSON array or object as CEL has it, over its bytes. It is a {@link CelValue}, since the library
 * copies every other kind of list or map, with all that is in it, each time an expression names it;
 * so it cannot be one of the JDK's abstract collections. Used by one thread at a time; never
 * changed from outside.
 */
@SuppressWarnings("Immutable") // what it keeps follows from bytes that never change
abstract class JsonView extends CelValue {
  private final CelType type;

  JsonView(CelType type) {
    this.type = type;
  }

  /** All that is in it, as an unmodifiable collection of the JDK. */
  abstract Object all();

  public abstract boolean isEmpty();

  /** Nobody may. */
  static UnsupportedOperationException unmodifiable() {
    return new UnsupportedOperationException("a payload is not to be changed");
  }

  @Override
  public final Object value() {
    return this;
  }

  @Override
  public final boolean isZeroValue() {
    return isEmpty();
  }

  @Override
  public final CelType celType() {
    return type;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return all().equals(other);
  }

  @Override
  public final int hashCode() {
    return all().hashCode();
  }

  @Override
  public final String toString() {
    return all().toString();
  }
}
