package hourglass.query.where;

import dev.cel.common.types.CelType;
import dev.cel.common.values.CelValue;
import org.jspecify.annotations.Nullable;

/**
 * A view of the bytes of a JSON array or object. A {@link CelValue}, since the library makes deep
 * copies of other lists and maps. Unmodifiable; used by one thread at a time.
 */
@SuppressWarnings("Immutable") // the cached state follows from bytes that never change
public abstract class JsonView extends CelValue {

  /** A test of bytes of JSON. */
  @FunctionalInterface
  public interface BytesTest {
    boolean test(byte[] bytes, int from, int to);
  }

  private final CelType type;
  final byte[] bytes;
  final int from;
  final int to;

  JsonView(CelType type, byte[] bytes, int from, int to) {
    this.type = type;
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  abstract Object all();

  /** Whether it is a whole payload. */
  public boolean isPayload() {
    return false;
  }

  /** Whether a test holds for its JSON. */
  public final boolean has(BytesTest test) {
    return test.test(bytes, from, to);
  }

  public abstract boolean isEmpty();

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
