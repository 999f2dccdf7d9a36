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
import hourglass.store.rows.MinuteCounts;
import hourglass.store.rows.Part;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A pack of many columns. Only its head may have been read. */
final class PagePart implements Part {
  /** The objects of a head. */
  private static final int ENTRY_BYTES = 900;

  /** The memory of an index besides its bytes: the starts of its blocks, and a few answers. */
  private static final int INDEX_BYTES = 20 << 10;

  private static final byte[] NO_INDEX = {};

  private final long digest;
  private final NameRanges names;
  private final PageHeader header;

  /** The header, and the filter of values. */
  private final byte[] ends;

  /** The index of pages of a seal up to this one; empty if it ends none. */
  private final byte[] indexBytes;

  /** The index of this page; null if it has none, or its place in it is unknown. */
  private final @Nullable SealIndex index;

  private final int place;

  private final @Nullable ByteBuffer body;

  private final MinuteCounts minutes;

  /** Throws CorruptException if the head is damaged. */
  PagePart(Pack pack) {
    ByteBuffer head = pack.head().duplicate();
    try {
      names = names(head);
      byte[] rest = new byte[head.remaining()];
      head.get(rest);
      header = PageHeader.read(rest);
      boolean isIndexed = !header.isFiltered() && rest.length > header.length();
      if (isIndexed && pack.digest() != Pack.SEALED) {
        throw new CorruptException((rest.length - header.length()) + " bytes after its header");
      }
      ends = isIndexed ? Arrays.copyOf(rest, header.length()) : rest;
      indexBytes = isIndexed ? Arrays.copyOfRange(rest, header.length(), rest.length) : NO_INDEX;
      if (!header.first().equals(pack.first())) {
        throw new CorruptException("its page begins with " + header.first());
      }
    } catch (BufferUnderflowException e) {
      throw pack.damaged(new CorruptException("the head ends too early", e));
    } catch (CorruptException e) {
      throw pack.damaged(e);
    }
    digest = pack.digest();
    body = pack.body();
    index = null;
    place = 0;
    minutes = MinuteCounts.ofAll(header.columnsByMinute());
  }

  private static NameRanges names(ByteBuffer head) {
    int ranges = head.get();
    if (ranges < 1 || ranges > NameRanges.RANGES_MAX) {
      throw new CorruptException(ranges + " ranges of names");
    }
    long[] bounds = new long[2 * ranges];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = head.getLong();
      if (i > 0 && bounds[i] < bounds[i - 1]) {
        throw new CorruptException("the ranges of names do not ascend");
      }
    }
    return new NameRanges(bounds);
  }

  private PagePart(PagePart head, @Nullable SealIndex index, int place, @Nullable ByteBuffer body) {
    this.digest = head.digest;
    this.names = head.names;
    this.header = head.header;
    this.ends = head.ends;
    this.indexBytes = head.indexBytes;
    this.index = index;
    this.place = place;
    this.minutes = head.minutes;
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
    return minutes;
  }

  @Override
  public Columns load(Projection projection) {
    return read(
        projection == Projection.NAMES
            ? PackCodec.pages()::decodeNames
            : PackCodec.pages()::decode);
  }

  @Override
  public Columns match(FieldFilter filter) {
    return read(page -> PackCodec.pages().match(page, filter));
  }

  @Override
  public void values(FieldQuery query, FieldValues into) {
    read(
        page -> {
          PackCodec.pages().values(page, query, into);
          return into;
        });
  }

  private <T> T read(Function<byte[], T> reader) {
    try {
      return reader.apply(page());
    } catch (CorruptException e) {
      throw damaged(e);
    }
  }

  /** Names this page in a fault. */
  CorruptException damaged(CorruptException fault) {
    return Pack.damaged(first(), digest, fault);
  }

  @Override
  public boolean mayMatch(FieldFilter filter) {
    try {
      return index == null
          ? PackCodec.pages().mayMatch(new Ends(length()), filter)
          : index.mayMatch(place, filter);
    } catch (CorruptException e) {
      throw damaged(e);
    }
  }

  @Override
  public boolean mayMatchUnread(FieldFilter filter) {
    return mayMatch(filter);
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

  /** Whether it is a pack, and not a page of a sealed row. */
  boolean isPack() {
    return digest != Pack.SEALED;
  }

  /** The length of the whole page in bytes. */
  int length() {
    return header.length() + header.bodyLength();
  }

  /** The approximate memory without the body. */
  long memoryBytes() {
    int indexed = indexBytes.length == 0 ? 0 : indexBytes.length + INDEX_BYTES;
    return (long) ends.length + indexed + ENTRY_BYTES;
  }

  /** The index of pages of a seal up to this one; empty if it ends none. */
  byte[] indexBytes() {
    return indexBytes;
  }

  /** Whether it has a filter of its values. */
  boolean isFiltered() {
    return header.isFiltered();
  }

  /** Throws CorruptException if its index is damaged. */
  void checkIndex() {
    try {
      if (index != null) {
        index.check();
      }
    } catch (CorruptException e) {
      throw damaged(e);
    }
  }

  /** Returns this page with its place in an index. */
  PagePart in(SealIndex itsIndex, int itsPlace) {
    return new PagePart(this, itsIndex, itsPlace, body);
  }

  /** Returns this page with its body, which was read later. */
  PagePart with(ByteBuffer laterBody) {
    return new PagePart(this, index, place, laterBody);
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
