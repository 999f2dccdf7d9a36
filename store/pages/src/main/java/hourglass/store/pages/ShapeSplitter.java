package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.bytes.JsonScan;
import hourglass.store.Columns;
import hourglass.store.pages.hashes.ValueHash;
import hourglass.store.pages.runs.CompressedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the shape of each payload of a page, and the positions of each field's values. Not
 * thread-safe; reused.
 */
final class ShapeSplitter {
  // Most payloads have one of the last few shapes, which are tried before the slower JSON parse.
  private static final int TRIES = 3;

  private static final int NONE = -1;

  private final ValueSpans spans = new ValueSpans();
  private final List<Shape> shapes = new ArrayList<>();
  private final long[] signatures = new long[ColumnsLayout.SHAPES_MAX];
  private final int[] recent = new int[TRIES];
  private final List<Field> fields = new ArrayList<>();
  private final Map<Long, Integer> fieldOfPath = new HashMap<>();
  private int fieldCount;
  private int whole;
  private int wholeField;
  private int wholeBytes;
  private byte[] shapeOf = new byte[0];

  void split(Columns columns) {
    clear(columns.size());
    byte[] bytes = columns.bytes();
    int to = columns.offset(0);
    for (int i = 0; i < columns.size(); i++) {
      int from = to;
      to = from + columns.length(i);
      int shape = matchRecent(bytes, from, to);
      shapeOf[i] = (byte) (shape >= 0 ? shape : find(bytes, from, to));
    }
  }

  private void clear(int count) {
    shapes.clear();
    Arrays.fill(recent, NONE);
    for (int i = 0; i < fieldCount; i++) {
      fields.get(i).clear();
    }
    fieldCount = 0;
    fieldOfPath.clear();
    whole = NONE;
    wholeBytes = 0;
    shapeOf = CompressedBytes.room(shapeOf, count);
  }

  private int matchRecent(byte[] bytes, int from, int to) {
    for (int i = 0; i < TRIES && recent[i] >= 0; i++) {
      int shape = recent[i];
      if (shapes.get(shape).match(bytes, from, to)) {
        if (i > 0) {
          System.arraycopy(recent, 0, recent, 1, i);
          recent[0] = shape;
        }
        return shape;
      }
    }
    return NONE;
  }

  private int find(byte[] bytes, int from, int to) {
    if (!spans.find(bytes, from, to)) {
      return whole(from, to);
    }
    int shape = find(signature(), bytes, from, to);
    if (shape >= 0) {
      System.arraycopy(recent, 0, recent, 1, TRIES - 1);
      recent[0] = shape;
      return shape;
    }
    return whole(from, to);
  }

  private int find(long signature, byte[] bytes, int from, int to) {
    for (int i = 0; i < shapes.size(); i++) {
      if (signatures[i] == signature && i != whole && shapes.get(i).match(bytes, from, to)) {
        return i;
      }
    }
    if (shapes.size() >= ColumnsLayout.SHAPES_MAX - 1) {
      return NONE;
    }
    int[] numbers = new int[spans.count];
    Field[] fieldsOf = new Field[spans.count];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = fieldOfValue(i, bytes);
      fieldsOf[i] = fields.get(numbers[i]);
    }
    Shape added = Shape.of(bytes, from, to, spans, numbers, fieldsOf);
    signatures[shapes.size()] = signature;
    shapes.add(added);
    return added.match(bytes, from, to) ? shapes.size() - 1 : NONE;
  }

  private int fieldOfValue(int i, byte[] bytes) {
    int keyStart = spans.keyStarts[i];
    int keyEnd = spans.keyEnds[i];
    boolean isPlain = !JsonScan.hasEscape(bytes, keyStart, keyEnd);
    long key = ValueHash.text(bytes, keyStart, keyEnd);
    Integer known = fieldOfPath.get(spans.paths[i]);
    int number = known == null ? newField() : known;
    if (known == null) {
      fieldOfPath.put(spans.paths[i], number);
      if (isPlain) {
        fields.get(number).setKey(key, spans.kinds[i]);
      }
    } else {
      fields.get(number).checkKey(key, spans.kinds[i]);
    }
    return number;
  }

  int valueCount() {
    int values = 0;
    for (int i = 0; i < fieldCount; i++) {
      values += fields.get(i).count();
    }
    return values;
  }

  private int whole(int from, int to) {
    if (whole < 0) {
      whole = shapes.size();
      wholeField = newField();
      shapes.add(Shape.whole(wholeField, fields.get(wholeField)));
    }
    wholeBytes += to - from;
    fields.get(wholeField).add(from, to);
    return whole;
  }

  private long signature() {
    long signature = spans.count;
    for (int i = 0; i < spans.count; i++) {
      signature = ByteWords.mix(signature ^ spans.paths[i]);
    }
    return signature;
  }

  private int newField() {
    if (fieldCount == fields.size()) {
      fields.add(new Field());
    }
    return fieldCount++;
  }

  boolean pays(Columns columns) {
    return shapes.size() * ColumnsLayout.COLUMNS_PER_SHAPE_MIN <= columns.size()
        && wholeBytes <= columns.payloadBytes() / 4;
  }

  List<Shape> shapes() {
    return shapes;
  }

  byte[] shapeOf() {
    return shapeOf;
  }

  int fieldCount() {
    return fieldCount;
  }

  Field field(int number) {
    return fields.get(number);
  }

  void fillTicks(int field, Columns columns, long[] ticksOf) {
    int[] times = new int[shapes.size()];
    for (int s = 0; s < times.length; s++) {
      times[s] = shapes.get(s).count(field);
    }
    int next = 0;
    for (int i = 0; i < columns.size(); i++) {
      for (int n = times[shapeOf[i]]; n > 0; n--) {
        ticksOf[next++] = columns.ticks(i);
      }
    }
  }
}
