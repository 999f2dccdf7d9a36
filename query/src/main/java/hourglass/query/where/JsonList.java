package hourglass.query.where;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * A JSON array as a list of CEL, read when it is first looked into. A {@link CelValue} for the
 * reason that {@link JsonObject} is one. Used by one thread at a time; never changed from outside.
 */
@SuppressWarnings("Immutable") // what it keeps follows from bytes that never change
final class JsonList extends CelValue implements List<Object>, RandomAccess {
  private static final CelType TYPE = ListType.create(SimpleType.DYN);

  private final byte[] bytes;
  private final int from;
  private final int to;
  private @Nullable List<Object> elements;

  /** The array in {@code [from, to)}. */
  JsonList(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  private List<Object> elements() {
    if (elements == null) {
      elements = Collections.unmodifiableList(read());
    }
    return elements;
  }

  private List<Object> read() {
    List<Object> read = new ArrayList<>();
    int at = JsonScan.skipSpace(bytes, from + 1, to);
    while (at < to && bytes[at] != ']') {
      int end = JsonScan.skipValue(bytes, at, to);
      read.add(JsonValue.of(bytes, at, end));
      at = JsonScan.skipSpace(bytes, end, to);
      if (at < to && bytes[at] == ',') {
        at = JsonScan.skipSpace(bytes, at + 1, to);
      }
    }
    return read;
  }

  @Override
  public int size() {
    return elements().size();
  }

  @Override
  public boolean isEmpty() {
    return elements().isEmpty();
  }

  @Override
  public Object get(int index) {
    return elements().get(index);
  }

  @Override
  public boolean contains(@Nullable Object value) {
    return elements().contains(value);
  }

  @Override
  public boolean containsAll(Collection<?> values) {
    return elements().containsAll(values);
  }

  @Override
  public int indexOf(@Nullable Object value) {
    return elements().indexOf(value);
  }

  @Override
  public int lastIndexOf(@Nullable Object value) {
    return elements().lastIndexOf(value);
  }

  @Override
  public Iterator<Object> iterator() {
    return elements().iterator();
  }

  @Override
  public ListIterator<Object> listIterator() {
    return elements().listIterator();
  }

  @Override
  public ListIterator<Object> listIterator(int index) {
    return elements().listIterator(index);
  }

  @Override
  public List<Object> subList(int first, int end) {
    return elements().subList(first, end);
  }

  @Override
  public Object[] toArray() {
    return elements().toArray();
  }

  @Override
  public <T> T[] toArray(T[] array) {
    return elements().toArray(array);
  }

  @Override
  public boolean add(Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void add(int index, Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean addAll(Collection<?> values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean addAll(int index, Collection<?> values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object set(int index, Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object remove(int index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean remove(@Nullable Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean removeAll(Collection<?> values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean retainAll(Collection<?> values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean isZeroValue() {
    return isEmpty();
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return elements().equals(other);
  }

  @Override
  public int hashCode() {
    return elements().hashCode();
  }

  @Override
  public String toString() {
    return elements().toString();
  }
}
