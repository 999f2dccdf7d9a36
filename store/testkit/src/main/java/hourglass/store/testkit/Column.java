package hourglass.store.testkit;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A column in the contract tests.
 *
 * @param payload a character per byte; such text sorts like unsigned bytes, and is readable when a
 *     test fails
 */
record Column(TimeUuid name, String payload) {

  static List<Column> unpack(Columns pack) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < pack.size(); i++) {
      String payload = new String(pack.payload(i), StandardCharsets.ISO_8859_1);
      columns.add(new Column(pack.id(i), payload));
    }
    return columns;
  }

  /** Packs columns; of two payloads under one name, the larger stays. */
  static Columns pack(Collection<Column> columns) {
    ColumnsBuilder out = new ColumnsBuilder(columns.size(), 0);
    for (Column column : columns) {
      byte[] payload = column.payload.getBytes(StandardCharsets.ISO_8859_1);
      out.add(column.name.ticks(), column.name.lsb(), payload, 0, payload.length);
    }
    return out.build();
  }

  Column withPayload(String other) {
    return new Column(name, other);
  }

  /** Shortens long payloads, so that a failure fits on a screen. */
  @Override
  public String toString() {
    int length = payload.length();
    String shown = length <= 40 ? payload : payload.substring(0, 20) + "..." + length + " bytes";
    return name + "=" + shown;
  }
}
