package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.pages.PageCodec;
import hourglass.store.pages.PageHeader;
import hourglass.store.parts.MinuteCounts;
import hourglass.store.parts.Part;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A pack of many columns. Only its head may have been read. */
final class PagePart implements Part {
  /** The objects of a head. */
  private static final int ENTRY_BYTES = 600;

  private final NameRanges names;
  private final PageHeader header;

  /** The header, and the filter of values. */
  private final byte[] ends;

  private final @Nullable ByteBuffer body;

  /** Throws CorruptException if the head is damaged. */
  PagePart(Pack pack) {
    ByteBuffer head = pack.head().duplicate();
    try {
      long[] bounds = new long[2 * head.get()];
      for (int i = 0; i < bounds.length; i++) {
        bounds[i] = head.getLong();
      }
      names = new NameRanges(bounds);
      ends = new byte[head.remaining()];
      head.get(ends);
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw new CorruptException("pack: the head ends too early", e);
    }
    header = PageHeader.read(ends);
    body = pack.body();
  }

  private PagePart(NameRanges names, PageHeader header, byte[] ends, ByteBuffer body) {
    this.names = names;
    this.header = header;
    this.ends = ends;
    this.body = body;
  }

  @Override
  public TimeUuid first() {
    return header.first();
  }

  @Override
  public TimeUuid last() {
    return header.last();
  }

  @Override
  public int count() {
    return header.count();
  }

  @Override
  public long payloadBytes() {
    return header.payloadBytes();
  }

  @Override
  public NameRanges names() {
    return names;
  }

  @Override
  public MinuteCounts minutes() {
    return MinuteCounts.ofAll(header.columnsByMinute());
  }

  @Override
  public Columns load(Projection projection) {
    byte[] page = page();
    return projection == Projection.NAMES
        ? PackCodec.pages().decodeNames(page)
        : PackCodec.pages().decode(page);
  }

  @Override
  public Columns match(FieldFilter filter) {
    return PackCodec.pages().match(page(), filter);
  }

  @Override
  public void values(FieldQuery query, FieldValues into) {
    PackCodec.pages().values(page(), query, into);
  }

  @Override
  public boolean mayMatch(FieldFilter filter) {
    return PackCodec.pages().mayMatch(new Ends(length()), filter);
  }

  /** The page without the bytes between its ends, which a filter never reads. */
  private final class Ends implements PageCodec.PageBytes {
    private final int length;

    Ends(int length) {
      this.length = length;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public void read(int at, byte[] to, int count) {
      int from = at < header.length() ? at : at - (length - ends.length);
      System.arraycopy(ends, from, to, 0, count);
    }
  }

  /** The length of the whole page, bytes. */
  int length() {
    return header.length() + header.bodyLength();
  }

  /** Without the body, about. */
  long memoryBytes() {
    return (long) ends.length + ENTRY_BYTES;
  }

  /** With the body, which was read later. */
  PagePart with(ByteBuffer laterBody) {
    return new PagePart(names, header, ends, laterBody);
  }

  private byte[] page() {
    if (body == null) {
      throw new UnreadException();
    }
    int filter = ends.length - header.length();
    byte[] page = new byte[ends.length + body.remaining()];
    System.arraycopy(ends, 0, page, 0, header.length());
    body.get(body.position(), page, header.length(), body.remaining());
    System.arraycopy(ends, header.length(), page, page.length - filter, filter);
    return page;
  }
}
