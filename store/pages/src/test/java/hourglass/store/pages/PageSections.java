package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageInput;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Adds up what the sections of pages take; walks a page as the codec reads it. */
final class PageSections {
  private final Map<String, Long> bytes = new TreeMap<>();
  private final CompressedBytes frames = new CompressedBytes(1);
  private final NumberRuns numbers = new NumberRuns(frames);
  private final ColumnNames names = new ColumnNames(frames, numbers);
  private int entriesApart;

  /** Fields whose entries lie apart. */
  int entriesApart() {
    return entriesApart;
  }

  Map<String, Long> bytes() {
    return bytes;
  }

  void add(byte[] page) {
    PageHeader header = PageHeader.read(page);
    header.checkBody(page);
    boolean isFiltered = header.layout() == PageHeader.FILTERED;
    int end = isFiltered ? ValueFilter.start(page) : page.length;
    PageInput in = new PageInput(page, header.length(), end);
    count("7 filter", page.length - end);
    count("1 header", header.length());
    int start = in.position();
    long[] ticks = names.readTicks(in, header.count(), header.first(), header.last());
    start = countTo(in, start, "2 ticks");
    names.readLsbs(in, header.count(), header.first(), header.last());
    start = countTo(in, start, "3 lower halves");
    if (header.layout() == PageHeader.ROWS) {
      count("9 rows", page.length - start);
      return;
    }
    addColumns(in, header, ticks);
  }

  private void addColumns(PageInput in, PageHeader header, long[] ticks) {
    int start = in.position();
    byte[] text = frames.readUpTo(in, "description", Integer.MAX_VALUE, ByteWords.SLACK);
    start = countTo(in, start, "4 description");
    PageInput description = new PageInput(text, 0, text.length - ByteWords.SLACK);
    int shapeCount = description.getCount("shapes", Integer.MAX_VALUE);
    Values[] fields = new Values[description.getCount("fields", Integer.MAX_VALUE)];
    String[] keys = new String[fields.length];
    int[] values = new int[shapeCount];
    int[][] fieldsOf = new int[shapeCount][];
    for (int s = 0; s < shapeCount; s++) {
      values[s] = description.getCount("values", Integer.MAX_VALUE);
      fieldsOf[s] = new int[values[s]];
      for (int v = 0; v < values[s]; v++) {
        String part = part(description);
        fieldsOf[s][v] = description.getCount("field", Integer.MAX_VALUE);
        keys[fieldsOf[s][v]] = part.substring(Math.max(0, part.length() - 24));
      }
      part(description);
    }
    for (int f = 0; f < fields.length; f++) {
      fields[f] = Values.describe(description);
    }
    for (Values field : fields) {
      entriesApart += field.passEntries(in, frames, Integer.MAX_VALUE) > 0 ? 1 : 0;
    }
    start = countTo(in, start, "4 entries apart");
    byte[] shapeOf = Indexes.read(frames, in, "shapes", header.count(), shapeCount);
    start = countTo(in, start, "5 shapes of columns");
    int[] counts = new int[fields.length];
    for (byte s : shapeOf) {
      for (int f : fieldsOf[s]) {
        counts[f]++;
      }
    }
    ValuesSource source = new ValuesSource(in, header.payloadBytes(), false, frames, numbers);
    for (int f = 0; f < fields.length; f++) {
      int count = counts[f];
      fields[f].load(source, count, () -> new long[count]);
      String kind = fields[f].getClass().getSimpleName().replace("Values", "").toLowerCase();
      start = countTo(in, start, "6 " + keys[f].replaceAll("^.*?\"", "\"") + " " + kind);
    }
  }

  private static String part(PageInput in) {
    int length = in.getCount("part", Integer.MAX_VALUE);
    return new String(in.array(), in.skip(length), length, StandardCharsets.UTF_8);
  }

  private int countTo(PageInput in, int start, String section) {
    count(section, in.position() - start);
    return in.position();
  }

  private void count(String section, long size) {
    bytes.merge(section, size, Long::sum);
  }
}
