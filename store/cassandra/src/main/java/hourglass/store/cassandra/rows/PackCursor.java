package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.parts.Part;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packs of a range by sections. A section has all parts that may have columns in it, in
 * whatever order their packs were written. For one thread at a time.
 *
 * <p>A pack holds names of one minute, from its own on. So after packs up to a name were read in
 * ascending order, all names before it are known. In descending order, all names of the minutes
 * after it are known.
 */
final class PackCursor implements Sections {
  private static final int PAGE_GROWTH = 4;

  private final PacksTable table;
  private final RowKey row;
  private final ColumnRange firsts;
  private final Order order;
  private final int packsMax;
  private final boolean wholeMinutes;
  private int packsNext;

  /** Without the sections that were read. */
  private ColumnRange open;

  /** Those that overlap {@link #open}. */
  private List<Part> pending = new ArrayList<>();

  private @Nullable ByteBuffer rest;

  /**
   * Begins at an end of the range, which is not empty.
   *
   * @param resumeAt where the packs begin that an earlier reader left; null if unknown
   * @param packsFirst about how many packs the reader wants; more are read if they are not enough
   * @param packsMax limit of a page of results
   * @param wholeMinutes whether sections end between minutes, so that each part is in one section
   */
  PackCursor(
      PacksTable table,
      RowKey row,
      ColumnRange range,
      Order order,
      @Nullable TimeUuid resumeAt,
      int packsFirst,
      int packsMax,
      boolean wholeMinutes) {
    this.table = table;
    this.row = row;
    this.firsts =
        resumeAt == null || order == Order.DESCENDING
            ? firsts(range)
            : new ColumnRange(resumeAt, range.to());
    this.order = order;
    this.packsNext = packsFirst;
    this.packsMax = packsMax;
    this.wholeMinutes = wholeMinutes;
    this.open = range;
  }

  /** The first names of packs that may overlap a range. */
  static ColumnRange firsts(ColumnRange range) {
    return new ColumnRange(TimeUuid.first(PackCodec.minuteStart(range.from().ticks())), range.to());
  }

  @Override
  public CompletionStage<Section> next() {
    int packs = Math.min(packsNext, packsMax);
    packsNext = Math.min(packs * PAGE_GROWTH, packsMax);
    return table.select(row, firsts, order, packs, rest).thenCompose(this::take);
  }

  private CompletionStage<Section> take(PacksTable.Page page) {
    List<Part> read = parts(page.packs(), order);
    table.observe(page.packs().size(), read.stream().mapToInt(Part::count).sum());
    for (Part part : read) {
      if (part.overlaps(open)) {
        pending.add(part);
      }
    }
    rest = page.rest();
    ColumnRange section = rest == null ? open : complete(page.packs());
    if (rest != null && section.isEmpty()) {
      return next();
    }
    open =
        order == Order.ASCENDING
            ? new ColumnRange(section.to(), open.to())
            : new ColumnRange(open.from(), section.from());
    List<Part> parts = pending.stream().filter(part -> part.overlaps(section)).toList();
    pending = new ArrayList<>(pending.stream().filter(part -> part.overlaps(open)).toList());
    return CompletableFuture.completedFuture(new Section(section, parts, rest == null));
  }

  /** The beginning of {@link #open} that no pack to come overlaps. */
  private ColumnRange complete(List<Pack> packs) {
    if (packs.isEmpty()) {
      return new ColumnRange(open.from(), open.from());
    }
    TimeUuid last = packs.get(packs.size() - 1).first();
    TimeUuid minute = TimeUuid.first(PackCodec.minuteStart(last.ticks()));
    if (order == Order.ASCENDING) {
      return open.intersect(new ColumnRange(open.from(), wholeMinutes ? minute : last));
    }
    TimeUuid next = TimeUuid.first(minute.ticks() + Ticks.PER_MINUTE);
    return open.intersect(new ColumnRange(next, open.to()));
  }

  /** One part for each page, and one for all single columns. */
  static List<Part> parts(List<Pack> packs, Order order) {
    List<Part> parts = new ArrayList<>();
    List<Pack> columns = new ArrayList<>();
    for (Pack pack : packs) {
      if (pack.isColumn()) {
        columns.add(pack);
      } else {
        parts.add(new PagePart(pack));
      }
    }
    if (!columns.isEmpty()) {
      if (order == Order.DESCENDING) {
        Collections.reverse(columns);
      }
      parts.add(new ColumnsPart(join(columns)));
    }
    return parts;
  }

  /**
   * Of equal names the larger payload stays. Without bodies, the payloads are empty, but their
   * lengths are known.
   */
  private static Columns join(List<Pack> ascending) {
    List<Pack> packs = new ArrayList<>(ascending.size());
    int bytes = 0;
    boolean bodies = true;
    for (Pack pack : ascending) {
      int before = packs.size() - 1;
      if (before < 0 || !packs.get(before).first().equals(pack.first())) {
        packs.add(pack);
        bytes = Math.addExact(bytes, pack.length());
        bodies &= pack.body() != null;
      } else if (compare(packs.get(before), pack) < 0) {
        bytes = Math.addExact(bytes, pack.length() - packs.get(before).length());
        packs.set(before, pack);
      }
    }
    long[] ticks = new long[packs.size()];
    long[] lsbs = new long[packs.size()];
    int[] offsets = new int[packs.size() + 1];
    byte[] payloads = new byte[bodies ? bytes : 0];
    for (int i = 0; i < packs.size(); i++) {
      Pack pack = packs.get(i);
      ticks[i] = pack.first().ticks();
      lsbs[i] = pack.first().lsb();
      offsets[i + 1] = offsets[i] + pack.length();
      if (bodies) {
        payload(pack).get(payloads, offsets[i], pack.length());
      }
    }
    return Columns.ofPacked(ticks, lsbs, offsets, payloads, packs.size());
  }

  /** Compares payloads as {@link Columns#comparePayloads} does. */
  private static int compare(Pack a, Pack b) {
    byte[] ofA = new byte[a.length()];
    byte[] ofB = new byte[b.length()];
    payload(a).get(ofA);
    payload(b).get(ofB);
    return Arrays.compareUnsigned(ofA, ofB);
  }

  private static ByteBuffer payload(Pack pack) {
    ByteBuffer body = pack.body();
    if (body == null) {
      throw new UnreadException();
    }
    return body.duplicate();
  }
}
