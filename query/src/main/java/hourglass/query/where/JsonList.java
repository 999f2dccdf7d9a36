package hourglass.query.where;

import hourglass.bytes.JsonScan;
import hourglass.query.filter.Effort;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** A JSON array as a list, read on first access. Used by one thread at a time. */
final class JsonList extends AbstractList<Object> implements RandomAccess {
  private final byte[] bytes;
  private final int from;
  private final int to;
  private @Nullable List<Object> elements;

  JsonList(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  private List<Object> elements() {
    List<Object> known = elements;
    if (known == null) {
      known = read();
      elements = known;
    }
    return known;
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
  public Object get(int index) {
    return elements().get(index);
  }

  @Override
  public int size() {
    return elements().size();
  }

  @Override
  public Iterator<Object> iterator() {
    return elements().iterator();
  }
}
