package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.Order;
import hourglass.store.rows.Part;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of results: packs in the order of their first names.
 *
 * @param packs how many
 * @param parts one for each pack of many columns, the others together
 * @param end the first name of the last pack, or a name up to which there are no more; null without
 *     packs
 * @param rest where the next page begins; null if this is the last one
 */
record PackPage(int packs, List<Part> parts, @Nullable TimeUuid end, @Nullable ByteBuffer rest) {

  /** Throws CorruptException naming a damaged pack. */
  static PackPage of(List<Pack> packs, Order order, @Nullable ByteBuffer rest) {
    List<Part> parts = new ArrayList<>();
    List<Pack> columns = new ArrayList<>();
    for (Pack pack : packs) {
      if (pack.isColumn()) {
        columns.add(checked(pack));
      } else {
        parts.add(page(pack));
      }
    }
    if (order == Order.DESCENDING) {
      Collections.reverse(columns);
    }
    addColumns(columns, parts);
    TimeUuid end = packs.isEmpty() ? null : packs.get(packs.size() - 1).first();
    return new PackPage(packs.size(), parts, end, rest);
  }

  /** This page, if it ends elsewhere. */
  PackPage at(@Nullable TimeUuid otherEnd, ByteBuffer otherRest) {
    return new PackPage(packs, parts, otherEnd, otherRest);
  }

  /** The part of a pack. */
  static Part part(Pack pack) {
    return of(List.of(pack), Order.ASCENDING, null).parts().get(0);
  }

  /** Readers find a pack by its minute. */
  private static PagePart page(Pack pack) {
    PagePart page = new PagePart(pack);
    if (PackCodec.minuteStart(page.last().ticks()) != PackCodec.minuteStart(page.first().ticks())) {
      throw pack.damaged(
          new CorruptException("its page ends in another minute, with " + page.last()));
    }
    return page;
  }

  private static Pack checked(Pack pack) {
    ByteBuffer body = pack.body();
    if (pack.length() < 0 || body != null && body.remaining() != pack.length()) {
      throw pack.damaged(
          new CorruptException(
              "a payload of "
                  + (body == null ? "?" : body.remaining())
                  + " bytes with the length "
                  + pack.length()));
    }
    return pack;
  }

  /** The names of a part differ, so the copies of a column are in several. */
  private static void addColumns(List<Pack> ascending, List<Part> parts) {
    List<List<Pack>> copies = new ArrayList<>();
    int copy = 0;
    for (int i = 0; i < ascending.size(); i++) {
      Pack pack = ascending.get(i);
      copy = i > 0 && pack.first().equals(ascending.get(i - 1).first()) ? copy + 1 : 0;
      if (copy == copies.size()) {
        copies.add(new ArrayList<>());
      }
      copies.get(copy).add(pack);
    }
    copies.forEach(each -> parts.add(join(each)));
  }

  private static ColumnsPart join(List<Pack> packs) {
    boolean isRead = packs.get(0).body() != null;
    long[] ticks = new long[packs.size()];
    long[] lsbs = new long[packs.size()];
    int[] offsets = new int[packs.size() + 1];
    for (int i = 0; i < packs.size(); i++) {
      Pack pack = packs.get(i);
      ticks[i] = pack.first().ticks();
      lsbs[i] = pack.first().lsb();
      offsets[i + 1] = Math.addExact(offsets[i], pack.length());
    }
    byte[] payloads = new byte[isRead ? offsets[packs.size()] : 0];
    for (int i = 0; i < packs.size(); i++) {
      ByteBuffer body = packs.get(i).body();
      if (body != null) {
        body.get(body.position(), payloads, offsets[i], packs.get(i).length());
      }
    }
    return new ColumnsPart(Columns.ofPacked(ticks, lsbs, offsets, payloads, packs.size()), isRead);
  }
}
