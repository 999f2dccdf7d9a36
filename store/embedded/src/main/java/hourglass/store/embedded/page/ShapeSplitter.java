package hourglass.store.embedded.page;

import hourglass.store.Columns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the payloads of a page apart: finds the shape of each, and where the values of each field
 * stand. Not thread-safe; reused from page to page.
 */
final class ShapeSplitter {
  // Payloads of one row mostly have the shape of one of the last few; each is tried before the
  // payload is looked at as JSON, which takes twice as long.
  private static final int TRIES = 3;

  private final ValueSpans spans = new ValueSpans();

  // Where the values of the payload at hand stand.
  private final int[] starts = new int[ValueSpans.VALUES_MAX];
  private final int[] ends = new int[ValueSpans.VALUES_MAX];

  private final List<Shape> shapes = new ArrayList<>();
  private final long[] signatures = new long[ColumnsLayout.SHAPES_MAX];
  private final int[] recent = new int[TRIES];
  private final List<Field> fields = new ArrayList<>();
  private final Map<Long, Integer> fieldOfPath = new HashMap<>();
  private int fieldCount;
  private int whole;
  private int wholeBytes;
  private long[] shapeOf = new long[0];

  void split(Columns columns) {
    clear(columns.size());
    byte[] bytes = columns.bytes();
    for (int i = 0; i < columns.size(); i++) {
      int from = columns.offset(i);
      int to = from + columns.length(i);
      int shape = matchRecent(bytes, from, to);
      if (shape < 0) {
        shape = find(bytes, from, to);
        noteRecent(shape);
      }
      shapeOf[i] = shape;
      addValues(shapes.get(shape));
    }
  }

  private void clear(int count) {
    shapes.clear();
    Arrays.fill(recent, -1);
    for (int i = 0; i < fieldCount; i++) {
      fields.get(i).clear();
    }
    fieldCount = 0;
    fieldOfPath.clear();
    whole = -1;
    wholeBytes = 0;
    shapeOf = Frames.room(shapeOf, count);
  }

  private int matchRecent(byte[] bytes, int from, int to) {
    for (int i = 0; i < TRIES && recent[i] >= 0; i++) {
      int shape = recent[i];
      if (shape != whole && shapes.get(shape).match(bytes, from, to, starts, ends)) {
        System.arraycopy(recent, 0, recent, 1, i);
        recent[0] = shape;
        return shape;
      }
    }
    return -1;
  }

  private void noteRecent(int shape) {
    System.arraycopy(recent, 0, recent, 1, TRIES - 1);
    recent[0] = shape;
  }

  private int find(byte[] bytes, int from, int to) {
    if (!spans.find(bytes, from, to)) {
      return whole(from, to);
    }
    long signature = signature();
    for (int i = 0; i < shapes.size(); i++) {
      if (i != whole
          && signatures[i] == signature
          && shapes.get(i).match(bytes, from, to, starts, ends)) {
        return i;
      }
    }
    if (shapes.size() >= ColumnsLayout.SHAPES_MAX - 1) {
      return whole(from, to);
    }
    System.arraycopy(spans.starts, 0, starts, 0, spans.count);
    System.arraycopy(spans.ends, 0, ends, 0, spans.count);
    return add(Shape.of(bytes, from, to, spans, fieldsOfSpans()), signature);
  }

  private int whole(int from, int to) {
    if (whole < 0) {
      whole = add(Shape.whole(newField()), 0);
    }
    wholeBytes += to - from;
    starts[0] = from;
    ends[0] = to;
    return whole;
  }

  private int add(Shape shape, long signature) {
    signatures[shapes.size()] = signature;
    shapes.add(shape);
    return shapes.size() - 1;
  }

  private long signature() {
    long signature = spans.count;
    for (int i = 0; i < spans.count; i++) {
      signature = Words.mix(signature ^ spans.paths[i]);
    }
    return signature;
  }

  private int[] fieldsOfSpans() {
    int[] numbers = new int[spans.count];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = fieldOfPath.computeIfAbsent(spans.paths[i], path -> newField());
    }
    return numbers;
  }

  private int newField() {
    if (fieldCount == fields.size()) {
      fields.add(new Field());
    }
    return fieldCount++;
  }

  private void addValues(Shape shape) {
    for (int i = 0; i < shape.values(); i++) {
      fields.get(shape.field(i)).add(starts[i], ends[i]);
    }
  }

  /** Fills in the ticks of the column that each value of a field belongs to. */
  void fillTicks(int field, Columns columns, long[] ticksOf) {
    int next = 0;
    for (int i = 0; i < columns.size(); i++) {
      Shape shape = shapes.get((int) shapeOf[i]);
      for (int v = 0; v < shape.values(); v++) {
        if (shape.field(v) == field) {
          ticksOf[next++] = columns.ticks(i);
        }
      }
    }
  }

  /** Whether payloads have enough in common for columns to be smaller than rows. */
  boolean pays(Columns columns) {
    return shapes.size() * ColumnsLayout.COLUMNS_PER_SHAPE_MIN <= columns.size()
        && wholeBytes <= columns.payloadBytes() / 4;
  }

  List<Shape> shapes() {
    return shapes;
  }

  /** The number of each column's shape. */
  long[] shapeOf() {
    return shapeOf;
  }

  int fieldCount() {
    return fieldCount;
  }

  Field field(int number) {
    return fields.get(number);
  }
}
