package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.pages.PageHeader;
import hourglass.store.parts.MinuteCounts;
import hourglass.store.parts.Part;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A pack of many columns. Only its head may have been read. */
final class PagePart implements Part {
  private final NameRanges names;
  private final PageHeader header;
  private final byte[] headerBytes;
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
      headerBytes = new byte[head.remaining()];
      head.get(headerBytes);
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw new CorruptException("pack: the head ends too early", e);
    }
    header = PageHeader.read(headerBytes);
    body = pack.body();
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

  private byte[] page() {
    if (body == null) {
      throw new UnreadException();
    }
    byte[] page = new byte[headerBytes.length + body.remaining()];
    System.arraycopy(headerBytes, 0, page, 0, headerBytes.length);
    body.get(body.position(), page, headerBytes.length, body.remaining());
    return page;
  }
}
