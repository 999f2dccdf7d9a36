package hourglass.ingest.service;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TypeHour;
import hourglass.ingest.decode.DecodedItem;
import hourglass.ingest.decode.EventTypes.CachedType;
import hourglass.ingest.service.PendingWrite.RowName;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Groups the events of one write by row, with at most one copy of each payload. It is used once.
 */
final class WriteBuilder {
  // These estimate the memory of an event besides its payload, and of a row besides its events.
  private static final int EVENT_OVERHEAD_BYTES = 24;
  private static final int UNTIMED_OVERHEAD_BYTES = 200;
  private static final int ROW_OVERHEAD_BYTES = 1024;

  /**
   * The number of recent rows, above the number of types in most requests. A type whose place
   * another one uses is found by name.
   */
  private static final int RECENT = 64;

  private final FixedShards shards;
  private final Sizes sizes;
  private final int bytesMax;
  private final int bodyBytes;
  private final Map<RowName, Row> rows = new HashMap<>();

  /** The rows of the last events, by the numbers of their types. */
  private final @Nullable Row[] recent = new Row[RECENT];

  private @Nullable UntimedEvents untimedEvents;
  private long bytes;
  private int events;
  private int untimed;

  /** The sizes of the rows that one thread wrote last, by type, since the next rows are similar. */
  static final class Sizes {
    private static final int TYPES = 1024;

    private final int[] columns = new int[TYPES];
    private final int[] bytes = new int[TYPES];

    /** Returns the likely number of columns. A new type mostly has one event. */
    private int columns(CachedType type) {
      return Math.max(1, columns[place(type)]);
    }

    private int bytes(CachedType type) {
      return bytes[place(type)];
    }

    private void written(CachedType type, ColumnsBuilder row) {
      columns[place(type)] = row.size() + row.size() / 16;
      bytes[place(type)] = row.payloadBytes() + row.payloadBytes() / 16;
    }

    private static int place(CachedType type) {
      return type.number & TYPES - 1;
    }
  }

  private static final class Row {
    private final CachedType type;
    private final Hour hour;
    private final long startTicks;
    private final int shard;
    private final ColumnsBuilder columns;

    private Row(CachedType type, Hour hour, int shard, ColumnsBuilder columns) {
      this.type = type;
      this.hour = hour;
      this.startTicks = hour.startTicks();
      this.shard = shard;
      this.columns = columns;
    }

    private boolean takes(CachedType asked, long ticks) {
      return type == asked && ticks >= startTicks && ticks - startTicks < Ticks.PER_HOUR;
    }
  }

  /**
   * Begins a write that is full at {@code bytesMax} of memory.
   *
   * @param sizes the sizes of the calling thread
   * @param bodyBytes an upper bound on all payloads
   */
  WriteBuilder(FixedShards shards, Sizes sizes, int bytesMax, int bodyBytes) {
    this.shards = shards;
    this.sizes = sizes;
    this.bytesMax = bytesMax;
    this.bodyBytes = bodyBytes;
  }

  boolean isFull() {
    return bytes >= bytesMax;
  }

  void add(DecodedItem event) {
    events++;
    untimed += event.time.isUntimed ? 1 : 0;
    if (event.name.keepsFirstTime) {
      addUntimed(event);
      return;
    }
    CachedType type = event.typed();
    long ticks = event.name.ticks;
    long lsb = event.name.lsb;
    Row row = recent[type.number & RECENT - 1];
    if (row == null || !row.takes(type, ticks)) {
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
              int payloads = Math.min(sizes.bytes(type), bodyBytes);
              return new Row(type, hour, shard, new ColumnsBuilder(sizes.columns(type), payloads));
            });
    recent[type.number & RECENT - 1] = row;
    return row;
  }

  PendingWrite build() {
    List<Mutation> mutations = new ArrayList<>();
    List<PendingWrite.Batch> pending = new ArrayList<>();
    rows.forEach(
        (name, row) -> {
          sizes.written(row.type, row.columns);
          // The last sizes may be far too large, and the store holds and counts the whole arrays.
          Columns columns = row.columns.build().compact();
          name.add(columns, mutations, pending);
        });
    return new PendingWrite(mutations, pending, untimedEvents, events, untimed);
  }
}
