package hourglass.store.cassandra.rows;

import hourglass.bucketing.Identity;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.pages.PageCodec;
import hourglass.store.pages.PageCodec.ValueSink;
import hourglass.store.pages.PageHeader;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides the columns of one write into packs. Few columns become a pack each. The same columns
 * always become the same packs. Thread-safe.
 */
final class PackCodec {
  /**
   * The least columns of a page. For fewer columns, a page is larger and dearer than a value for
   * each.
   */
  private static final int PAGE_COLUMNS_MIN = 8;

  /** A page above it is cut: readers hold many packs at once. */
  private static final int BODY_BYTES_MAX = 64 << 10;

  /** A thread keeps its buffers, since most writes have few columns. */
  private static final ThreadLocal<PageCodec> PAGES =
      ThreadLocal.withInitial(PageCodec::withoutFilters);

  private PackCodec() {}

  static PageCodec pages() {
    return PAGES.get();
  }

  /** Encodes columns as packs, in the order of their first names. */
  static List<Pack> encode(Columns columns) {
    List<Pack> packs = new ArrayList<>();
    for (int from = 0; from < columns.size(); ) {
      int to = end(columns, from);
      add(columns.subColumns(from, to), packs);
      from = to;
    }
    return packs;
  }

  /** No pack has columns of two minutes, so that a reader of a range knows where to begin. */
  private static int end(Columns columns, int from) {
    long minuteEnd = minuteStart(columns.ticks(from)) + Ticks.PER_MINUTE;
    int to = from + 1;
    long bytes = columns.length(from);
    while (to < columns.size()
        && to - from < PageCodec.PAGE_COLUMNS
        && bytes + columns.length(to) <= PageCodec.PAGE_BYTES
        && columns.ticks(to) < minuteEnd) {
      bytes += columns.length(to++);
    }
    return to;
  }

  static long minuteStart(long ticks) {
    return ticks - Math.floorMod(ticks - Ticks.UNIX_EPOCH, Ticks.PER_MINUTE);
  }

  private static void add(Columns columns, List<Pack> packs) {
    if (columns.size() < PAGE_COLUMNS_MIN) {
      for (int i = 0; i < columns.size(); i++) {
        packs.add(column(columns, i));
      }
      return;
    }
    Pack page = page(columns, PAGES.get());
    if (page.bodyLength() > BODY_BYTES_MAX) {
      int half = columns.size() / 2;
      add(columns.subColumns(0, half), packs);
      add(columns.subColumns(half, columns.size()), packs);
    } else {
      packs.add(page);
    }
  }

  private static Pack page(Columns columns, PageCodec codec) {
    byte[] page = codec.encode(columns);
    PageHeader header = PageHeader.read(page);
    ByteBuffer head = head(columns, page, header);
    return pack(columns.first(), head, body(page, header));
  }

  /**
   * All columns as a page of a sealed row. Its values go to the sink, if there is one, or are in a
   * filter in its head; some pages have neither.
   */
  static Pack sealedPage(Columns columns, PageCodec codec, @Nullable ValueSink values) {
    byte[] page = codec.encode(columns, values);
    PageHeader header = PageHeader.read(page);
    return new Pack(columns.first(), Pack.SEALED, head(columns, page, header), body(page, header));
  }

  private static ByteBuffer head(Columns columns, byte[] page, PageHeader header) {
    int filter = PageCodec.filterStart(page, header);
    long[] ranges = NameRanges.of(columns).bounds();
    ByteBuffer head =
        ByteBuffer.allocate(
            1 + ranges.length * Long.BYTES + header.length() + page.length - filter);
    head.put((byte) (ranges.length / 2));
    for (long bound : ranges) {
      head.putLong(bound);
    }
    return head.put(page, 0, header.length()).put(page, filter, page.length - filter).flip();
  }

  private static ByteBuffer body(byte[] page, PageHeader header) {
    int filter = PageCodec.filterStart(page, header);
    return ByteBuffer.wrap(page, header.length(), filter - header.length());
  }

  private static Pack column(Columns columns, int i) {
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).putInt(0, columns.length(i));
    ByteBuffer payload =
        ByteBuffer.wrap(columns.bytes(), columns.offset(i), columns.length(i)).slice();
    return pack(columns.id(i), length, payload);
  }

  private static Pack pack(TimeUuid first, ByteBuffer head, ByteBuffer body) {
    MessageDigest hash = Identity.newSha256();
    hash.update(head.duplicate());
    hash.update(body.duplicate());
    return new Pack(first, ByteBuffer.wrap(hash.digest()).getLong(), head, body);
  }
}
