package hourglass.store.pages;

import static java.util.Objects.requireNonNull;

import hourglass.bytes.ByteWords;
import hourglass.bytes.Spans;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of some fields of a page, without names and other fields. The fields are found
 * in a sample of each shape; see {@link ColumnMatcher}. Not thread-safe.
 */
final class FieldReader {
  private static final int[] NONE = {};
  private static final Spans NO_FIELDS = new Spans(0);

  private final Values[] fields;
  private final List<FieldFinder> finders;

  /** Whether each field of the page is read. */
  private final boolean[] wanted;

  private final ShapeReader[] shapes;

  /** The samples of all shapes, followed by room for the values of one column. */
  private final byte[] bytes;

  private final int samplesEnd;
  private final int end;
  private boolean isApart = true;

  /** The counts of columns with equal values. */
  private final KeyCounts counts;

  FieldReader(PageFields page, List<FieldFinder> finders, ColumnsReader.Buffers buffers) {
    this.fields = page.fields();
    this.finders = finders;
    wanted = new boolean[fields.length];
    Template[] templates = page.shapes();
    int[] columnsOf = page.columnsOf();
    int sampleBytes = 0;
    for (Template template : templates) {
      sampleBytes += template.sampleBytes();
    }
    samplesEnd = sampleBytes;
    end = sampleBytes + page.payloadBytes() + 2 * finders.size(); // quotes
    bytes = buffers.fields(end + 2 * ByteWords.SLACK);
    counts = buffers.counts();
    shapes = new ShapeReader[templates.length];
    int at = 0;
    for (int s = 0; s < shapes.length && !finders.isEmpty(); s++) {
      shapes[s] = new ShapeReader(s, templates[s]);
      at = columnsOf[s] == 0 ? at : shapes[s].find(at);
    }
    for (int s = 0; s < shapes.length && !finders.isEmpty(); s++) {
      shapes[s].prepare();
    }
  }

  /** Whether the values of the page's fields suffice. If not, whole payloads are needed. */
  boolean isApart() {
    return isApart;
  }

  boolean reads(int field) {
    return wanted[field];
  }

  /**
   * Reads the columns in {@code kept}, once all fields that are read are loaded.
   *
   * @param kept ascending
   * @param ticks the ticks of these columns; empty if all are in the step of {@code firstTicks}
   */
  void read(
      byte[] shapeOf,
      int[] kept,
      long[] ticks,
      long firstTicks,
      CountQuery part,
      FieldValues into) {
    int column = 0;
    for (int i = 0; i < kept.length; ) {
      int step = part.step(ticks.length == 0 ? firstTicks : ticks[i]);
      int to = ticks.length == 0 ? kept.length : endOfStep(i, ticks, step, part);
      if (finders.isEmpty()) {
        into.add(step, bytes, NO_FIELDS, to - i);
        i = to;
        continue;
      }
      if (shapes.length == 1 && shapes[0].countEntries(kept, i, to)) {
        i = to;
      }
      for (; i < to; i++) {
        for (; column < kept[i]; column++) {
          shapes[shapeOf[column]].skip();
        }
        shapes[shapeOf[column++]].read(step, into);
      }
      counts.drain((key, count) -> shapes[ValueKey.shape(key)].addEntries(key, step, count, into));
    }
  }

  private static int endOfStep(int from, long[] ticks, int step, CountQuery part) {
    int to = from + 1;
    while (to < ticks.length && part.step(ticks[to]) == step) {
      to++;
    }
    return to;
  }

  private final class ShapeReader {
    private final int number;
    private final Template template;
    private boolean[] quoted = {};

    /** The value that each finder's field is; negative if the field is absent or constant. */
    private final int[] valueOf = new int[finders.size()];

    /** The places for {@link FieldValues#add}; the places of constants never change. */
    private final Spans places = new Spans(finders.size());

    /** The values of wanted fields, in order. */
    private int[] read = NONE;

    /** The finders that have a value. Most paths of a label are in only a few shapes. */
    private int[] used = NONE;

    /** Whether a finder has a value, and none before it has the same. */
    private final boolean[] isWritten = new boolean[valueOf.length];

    /** The key of the values of used finders; null if there is none. */
    private @Nullable ValueKey key;

    ShapeReader(int number, Template template) {
      this.number = number;
      this.template = template;
      Arrays.fill(valueOf, -1);
    }

    /** Finds the fields in the sample, and returns its end. */
    int find(int sampleStart) {
      Template.Sample sample = template.sample(fields, bytes, sampleStart);
      quoted = sample.quoted();
      for (int f = 0; f < valueOf.length; f++) {
        FieldFinder finder = finders.get(f);
        Spans place = finder.find(bytes, sample.from(), sample.to());
        // An array or object may contain the field, where the sample has a 0.
        boolean isHidden = sample.hasCompounds() && (sample.isWhole() || !finder.isOfPayload());
        if (place == null || isHidden) {
          isApart = false;
          return sample.to();
        }
        // This place stays for a constant, or an object with values inside.
        places.set(f, place.start(0), place.end(0));
        valueOf[f] = place.has(0) ? valueAt(place.start(0), sample.starts()) : -1;
        if (valueOf[f] >= 0) {
          wanted[template.fields[valueOf[f]]] = true;
        }
      }
      return sample.to();
    }

    private int valueAt(int place, int[] starts) {
      for (int i = 0; i < starts.length; i++) {
        if (place == starts[i] - (quoted[i] ? 1 : 0)) {
          return i;
        }
      }
      return -1;
    }

    /** Prepares to read values, once all wanted fields are known. */
    void prepare() {
      int count = 0;
      read = new int[template.fields.length];
      for (int i = 0; i < template.fields.length; i++) {
        if (wanted[template.fields[i]]) {
          read[count++] = i;
        }
      }
      read = Arrays.copyOf(read, count);
      used = IntStream.range(0, valueOf.length).filter(f -> valueOf[f] >= 0).toArray();
      Values[] values = new Values[used.length];
      boolean hasEachOnce = true;
      for (int u = 0; u < used.length; u++) {
        int value = valueOf[used[u]];
        isWritten[used[u]] = indexOf(value) == used[u];
        hasEachOnce &= template.hasOnce(template.fields[value]);
        values[u] = fields[template.fields[value]];
      }
      key = hasEachOnce ? ValueKey.of(number, values) : null;
    }

    private int indexOf(int value) {
      int finder = 0;
      while (valueOf[finder] != value) {
        finder++;
      }
      return finder;
    }

    /**
     * Counts the entries of columns, in a page with this shape alone, where values have the numbers
     * of their columns. Returns false if the only value that is read has no dictionary.
     */
    boolean countEntries(int[] kept, int from, int to) {
      DictionaryValues values = key == null ? null : key.onlyDictionary();
      if (key == null || values == null) {
        return false;
      }
      int[] columnsOf = new int[Dictionary.ENTRIES_MAX];
      for (int i = from; i < to; i++) {
        columnsOf[values.entry(kept[i])]++;
      }
      for (int entry = 0; entry < columnsOf.length; entry++) {
        if (columnsOf[entry] > 0) {
          counts.add(key.ofEntry(entry), columnsOf[entry]);
        }
      }
      return true;
    }

    void skip() {
      for (int value : read) {
        fields[template.fields[value]].skip(1);
      }
    }

    void read(int step, FieldValues into) {
      long next = key == null ? -1 : key.next();
      if (key != null && next >= 0) {
        skip();
        key.note(counts.add(next, 1));
        return;
      }
      int at = samplesEnd;
      for (int value : read) {
        int from = at;
        at = begin(value, at);
        at = finish(value, fields[template.fields[value]].write(bytes, at, end));
        place(value, from, at);
      }
      into.add(step, bytes, places, 1);
    }

    void addEntries(long counted, int step, int count, FieldValues into) {
      ValueKey ofValues = requireNonNull(key, "no column has a key");
      int at = samplesEnd;
      for (int u = 0; u < used.length; u++) {
        int value = valueOf[used[u]];
        if (isWritten[used[u]]) {
          int from = at;
          at = begin(value, at);
          at = finish(value, ofValues.write(u, counted, bytes, at, end));
          place(value, from, at);
        }
      }
      into.add(step, bytes, places, count);
    }

    private int begin(int value, int at) {
      if (quoted[value]) {
        bytes[at] = '"';
        return at + 1;
      }
      return at;
    }

    private int finish(int value, int at) {
      if (at > end) {
        throw new CorruptException("page: values are longer than the payloads together");
      }
      if (quoted[value]) {
        bytes[at] = '"';
        return at + 1;
      }
      return at;
    }

    private void place(int value, int from, int to) {
      for (int f = 0; f < valueOf.length; f++) {
        if (valueOf[f] == value) {
          places.set(f, from, to);
        }
      }
    }
  }
}
