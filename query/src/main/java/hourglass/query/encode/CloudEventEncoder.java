package hourglass.query.encode;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.AnswerFacts;
import hourglass.store.Columns;

/**
 * An array of CloudEvents. A payload that is a CloudEvent is copied as stored. Any other payload
 * becomes the {@code data} of a new one: {@code id}, {@code time} and {@code type} are those of the
 * event, and {@code source} is the address of its type.
 */
final class CloudEventEncoder implements EventEncoder {
  private static final byte[] ID = EventText.ascii("{\"specversion\":\"1.0\",\"id\":\"");
  private static final byte[] DATA =
      EventText.ascii("\",\"datacontenttype\":\"application/json\",\"data\":");
  private static final int FIXED_BYTES =
      ID.length + TimeUuid.TEXT_BYTES + Ticks.TEXT_BYTES + DATA.length + 2;

  private final TimeWriter times = new TimeWriter();
  private boolean first = true;

  /** Whether the event of the last {@link #bytesMax} is a CloudEvent, so that it is parsed once. */
  private boolean isOne;

  @Override
  public byte[] begin() {
    return EventText.ascii("[");
  }

  @Override
  public int bytesMax(RowText row, Columns columns, int i) {
    isOne = CloudEventText.isOne(columns, i);
    return columns.length(i) + (isOne ? 1 : FIXED_BYTES + row.cloudEvent().length);
  }

  @Override
  public int write(RowText row, Columns columns, int i, byte[] out, int start) {
    int at = start;
    if (!first) {
      out[at++] = ',';
    }
    first = false;
    return isOne ? payload(columns, i, out, at) : around(row, columns, i, out, at);
  }

  private int around(RowText row, Columns columns, int i, byte[] out, int start) {
    long ticks = columns.ticks(i);
    int at = EventText.put(ID, out, start);
    at = TimeUuid.write(ticks, columns.lsb(i), out, at);
    at = EventText.put(row.cloudEvent(), out, at);
    at = times.write(ticks, out, at);
    at = EventText.put(DATA, out, at);
    at = payload(columns, i, out, at);
    out[at] = '}';
    return at + 1;
  }

  private static int payload(Columns columns, int i, byte[] out, int at) {
    System.arraycopy(columns.bytes(), columns.offset(i), out, at, columns.length(i));
    return at + columns.length(i);
  }

  @Override
  public byte[] end(AnswerFacts facts) {
    return EventText.ascii("]");
  }
}
