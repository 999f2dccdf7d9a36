package hourglass.query.encode;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.JsonPath;
import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Encodes each event as a line, by RFC 4180, after a header line. A field that is absent or null is
 * empty.
 */
final class CsvEncoder implements EventEncoder {
  private final List<CsvTable.Field> fields;
  private final boolean safe;
  private final List<JsonPath> paths;
  private final BooleanSupplier gone;
  private final TimeWriter times = new TimeWriter();

  /** The values of the paths. {@link #bytesMax} sets them, so that an event is parsed once. */
  private final byte[][] values;

  /**
   * Encoding throws a {@link CancellationException} once {@code gone} is true, since an event of a
   * megabyte takes long.
   */
  CsvEncoder(CsvTable table, BooleanSupplier gone) {
    this.gone = gone;
    fields = table.fields();
    safe = table.safe();
    paths =
        fields.stream()
            .filter(field -> field.kind() == CsvTable.Kind.PATH)
            .map(field -> new JsonPath(field.path(), gone))
            .toList();
    values = new byte[paths.size()][];
  }

  @Override
  public byte[] begin() {
    String names =
        fields.stream()
            .map(field -> new String(CsvText.field(field.name(), safe), StandardCharsets.UTF_8))
            .collect(Collectors.joining(","));
    return (names + "\r\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public int bytesMax(RowText row, Columns columns, int i) {
    readValues(columns, i);
    long bytes = 2;
    int path = 0;
    for (CsvTable.Field field : fields) {
      bytes +=
          1
              + switch (field.kind()) {
                case ID -> TimeUuid.TEXT_BYTES;
                case TIME -> Ticks.TEXT_BYTES;
                case TYPE -> row.csv(safe).length;
                case DATA -> CsvText.bytesMax(columns.length(i));
                case PATH -> CsvText.bytesMax(values[path++].length);
              };
    }
    return Math.toIntExact(bytes);
  }

  /** Reads the values of the paths: strings without quotes, other values as in the payload. */
  private void readValues(Columns columns, int i) {
    int from = columns.offset(i);
    for (int path = 0; path < values.length; path++) {
      JsonPath field = paths.get(path);
      String text =
          field.find(columns.bytes(), from, from + columns.length(i)) ? field.text() : null;
      values[path] = text == null ? new byte[0] : CsvText.utf8(text);
    }
  }

  @Override
  public int write(RowText row, Columns columns, int i, byte[] out, int start) {
    int at = start;
    int path = 0;
    for (CsvTable.Field field : fields) {
      if (gone.getAsBoolean()) {
        throw new CancellationException("the client gave the answer up");
      }
      at =
          switch (field.kind()) {
            case ID -> TimeUuid.write(columns.ticks(i), columns.lsb(i), out, at);
            case TIME -> times.write(columns.ticks(i), out, at);
            case TYPE -> EventText.put(row.csv(safe), out, at);
            case DATA ->
                CsvText.write(columns.bytes(), columns.offset(i), columns.length(i), safe, out, at);
            case PATH -> {
              byte[] value = values[path++];
              yield CsvText.write(value, 0, value.length, safe, out, at);
            }
          };
      out[at++] = ',';
    }
    // The last comma becomes the line end.
    out[at - 1] = '\r';
    out[at] = '\n';
    return at + 1;
  }
}
