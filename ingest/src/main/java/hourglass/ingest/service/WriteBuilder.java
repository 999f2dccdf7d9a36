package hourglass.ingest.service;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TypeHour;
import hourglass.ingest.decode.DecodedItem;
import hourglass.ingest.decode.TypeCache.CachedType;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Groups the events of one write by row, with at most one copy of each payload. Use it once. */
public final class WriteBuilder {
  // Memory of an event besides its payload, and of a row besides its events.
  private static final int EVENT_OVERHEAD_BYTES = 24;
  private static final int UNTIMED_OVERHEAD_BYTES = 200;
  private static final int ROW_OVERHEAD_BYTES = 1024;

  private final FixedShards shards;
  private final int bytesMax;
  private final int bodyBytes;
  private final Map<RowName, Row> rows = new HashMap<>();
  private @Nullable UntimedEvents untimedEvents;
  private long bytes;
  private int events;
  private int untimed;

  private final class Row {
    private final CachedType type;
    private final Hour hour;
    private final long startTicks;
    private final int shard;
    private final ColumnsBuilder columns;

    private Row(CachedType type, Hour hour, int shard) {
      this.type = type;
      this.hour = hour;
      this.startTicks = hour.startTicks();
      this.shard = shard;
      this.columns = new ColumnsBuilder(type.columnsHint, Math.min(type.bytesHint, bodyBytes));
    }

    private boolean takes(WriteBuilder asked, long ticks) {
      return WriteBuilder.this == asked
          && ticks >= startTicks
          && ticks - startTicks < Ticks.PER_HOUR;
    }
  }

  /** Is full at {@code bytesMax} of memory; {@code bodyBytes} is an upper bound on all payloads. */
  public WriteBuilder(FixedShards shards, int bytesMax, int bodyBytes) {
    this.shards = shards;
    this.bytesMax = bytesMax;
    this.bodyBytes = bodyBytes;
  }

  public boolean isFull() {
    return bytes >= bytesMax;
  }

  public void add(DecodedItem event) {
    events++;
    untimed += event.isUntimed ? 1 : 0;
    if (event.keepsFirstTime) {
      addUntimed(event);
      return;
    }
    CachedType type = event.typed();
    long ticks = event.ticks;
    long lsb = event.lsb;
    Row row = (Row) type.lastRow;
    if (row == null || !row.takes(this, ticks)) {
      row = row(type, Hour.ofTicks(ticks), ticks, lsb);
    } else if (shards.shard(row.hour, type.text, ticks, lsb) != row.shard) {
      row = row(type, row.hour, ticks, lsb);
    }
    if (event.isPacked) {
      row.columns.addPacked(ticks, lsb, event.bytes, event.from, event.to);
    } else {
      row.columns.add(ticks, lsb, event.bytes, event.from, event.to);
    }
    bytes += event.to - event.from + EVENT_OVERHEAD_BYTES;
  }

  private void addUntimed(DecodedItem event) {
    if (untimedEvents == null) {
      untimedEvents = new UntimedEvents(shards);
    }
    boolean isOfAnotherRow = untimedEvents.add(event);
    bytes += event.to - event.from + UNTIMED_OVERHEAD_BYTES;
    bytes += isOfAnotherRow ? ROW_OVERHEAD_BYTES : 0;
  }

  private Row row(CachedType type, Hour hour, long ticks, long lsb) {
    int shard = shards.shard(hour, type.text, ticks, lsb);
    Row row =
        rows.computeIfAbsent(
            new RowName(new TypeHour(hour, type.text), shard),
            name -> {
              bytes += ROW_OVERHEAD_BYTES;
              return new Row(type, hour, shard);
            });
    type.lastRow = row;
    return row;
  }

  public PendingWrite build() {
    List<Mutation> mutations = new ArrayList<>();
    List<PendingWrite.Batch> pending = new ArrayList<>();
    rows.forEach(
        (name, row) -> {
          forget(row);
          // The hints may be far too large, and the store holds and counts the whole arrays.
          Columns columns = row.columns.build().compact();
          name.add(columns, mutations, pending);
        });
    return new PendingWrite(mutations, pending, untimedEvents, events, untimed);
  }

  /** Ends a write that is not stored. */
  public void discard() {
    rows.values().forEach(WriteBuilder::forget);
  }

  /** Cached types outlive the write and must not hold its memory. */
  private static void forget(Row row) {
    CachedType type = row.type;
    type.lastRow = null;
    type.columnsHint = row.columns.size() + row.columns.size() / 16;
    int payloads = row.columns.payloadBytes();
    type.bytesHint = payloads + payloads / 16;
  }
}
