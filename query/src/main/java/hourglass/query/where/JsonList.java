package hourglass.query.where;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import hourglass.bytes.JsonScan;
import hourglass.query.filter.Effort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** A JSON array as a list of CEL, read on first access. */
@SuppressWarnings("Immutable") // as its parent
final class JsonList extends JsonView implements List<Object>, RandomAccess {
  private static final CelType TYPE = ListType.create(SimpleType.DYN);

  private @Nullable List<Object> elements;

  JsonList(byte[] bytes, int from, int to) {
    super(TYPE, bytes, from, to);
  }

  @Override
  List<Object> all() {
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
      at = JsonScan.next(bytes, end, to);
    }
    Effort.current().make(read.size());
    return read;
  }

  @Override
  public int size() {
    return all().size();
  }

  @Override
  public boolean isEmpty() {
    return all().isEmpty();
  }

  @Override
  public Object get(int index) {
    return all().get(index);
  }

  @Override
  public boolean contains(@Nullable Object value) {
    return all().contains(value);
  }

  @Override
  public boolean containsAll(Collection<?> values) {
    return all().containsAll(values);
  }

  @Override
  public int indexOf(@Nullable Object value) {
    return all().indexOf(value);
  }

  @Override
  public int lastIndexOf(@Nullable Object value) {
    return all().lastIndexOf(value);
  }

  @Override
  public Iterator<Object> iterator() {
    return all().iterator();
  }

  @Override
  public ListIterator<Object> listIterator() {
    return all().listIterator();
  }

  @Override
  public ListIterator<Object> listIterator(int index) {
    return all().listIterator(index);
  }

  @Override
  public List<Object> subList(int first, int end) {
    return all().subList(first, end);
  }

  @Override
  public Object[] toArray() {
    return all().toArray();
  }

  @Override
  public <T> T[] toArray(T[] array) {
    return all().toArray(array);
  }

  @Override
  public boolean add(Object value) {
    throw unmodifiable();
  }

  @Override
  public void add(int index, Object value) {
    throw unmodifiable();
  }

  @Override
  public boolean addAll(Collection<?> values) {
    throw unmodifiable();
  }

  @Override
  public boolean addAll(int index, Collection<?> values) {
    throw unmodifiable();
  }

  @Override
  public Object set(int index, Object value) {
    throw unmodifiable();
  }

  @Override
  public Object remove(int index) {
    throw unmodifiable();
  }

  @Override
  public boolean remove(@Nullable Object value) {
    throw unmodifiable();
  }

  @Override
  public boolean removeAll(Collection<?> values) {
    throw unmodifiable();
  }

  @Override
  public boolean retainAll(Collection<?> values) {
    throw unmodifiable();
  }

  @Override
  public void clear() {
    throw unmodifiable();
  }
}
