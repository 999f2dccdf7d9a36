package hourglass.store.erasure;

import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The erased columns of a type hour, and what becomes of them. Immutable.
 *
 * @param parts one for each list of members to blank, and one for all columns that go as a whole
 */
public record HiddenColumns(List<Part> parts) {

  /**
   * Columns of which the same becomes.
   *
   * @param names sorted, without payloads
   * @param blanked the members to blank; without paths, the columns go as a whole
   */
  public record Part(Columns names, BlankedMembers blanked) {
    boolean removes() {
      return blanked.paths().isEmpty();
    }
  }

  public HiddenColumns {
    parts = List.copyOf(parts);
  }

  /** Joins the parts of several rows and erasures. */
  static HiddenColumns of(List<Part> all) {
    Map<BlankedMembers, List<Columns>> names = new LinkedHashMap<>();
    for (Part part : all) {
      names.computeIfAbsent(part.blanked(), any -> new ArrayList<>()).add(part.names());
    }
    List<Part> joined = new ArrayList<>();
    names.forEach((blanked, some) -> joined.add(new Part(Columns.merge(some), blanked)));
    return new HiddenColumns(joined);
  }

  /** Returns whether the columns of any part stay, with other payloads. */
  public boolean blanks() {
    return parts.stream().anyMatch(part -> !part.removes());
  }

  /** Returns whether any of these columns is hidden. */
  public boolean concerns(Columns columns) {
    return IntStream.range(0, columns.size()).anyMatch(i -> concerns(columns, i));
  }

  private boolean concerns(Columns columns, int i) {
    for (Part part : parts) {
      if (part.names().contains(columns.ticks(i), columns.lsb(i))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a column is hidden and stays, with another payload. */
  boolean onlyBlanks(long ticks, long lsb) {
    boolean isBlanked = false;
    for (Part part : parts) {
      if (part.names().contains(ticks, lsb)) {
        if (part.removes()) {
          return false;
        }
        isBlanked = true;
      }
    }
    return isBlanked;
  }

  /** Returns whether {@link #apply} would remove any of these columns, or change its payload. */
  public boolean changes(Columns columns) {
    Columns applied = apply(columns);
    return applied.size() != columns.size()
        || IntStream.range(0, columns.size())
            .anyMatch(i -> Columns.comparePayloads(applied, i, columns, i) != 0);
  }

  /**
   * Returns the columns without those that are erased, and with blanked payloads; the same object
   * if none is concerned.
   *
   * @param columns with payloads, if any part {@link #blanks}
   */
  public Columns apply(Columns columns) {
    if (!concerns(columns)) {
      return columns;
    }
    int bytes = columns.bytes().length == 0 ? 0 : columns.payloadBytes();
    ColumnsBuilder rest = new ColumnsBuilder(columns.size(), bytes);
    for (int i = 0; i < columns.size(); i++) {
      if (concerns(columns, i)) {
        addBlanked(columns, i, rest);
      } else {
        rest.addAll(columns, i, i + 1);
      }
    }
    return rest.build();
  }

  /** Adds a column as the parts leave it, or nothing if one of them removes it. */
  private void addBlanked(Columns columns, int i, ColumnsBuilder rest) {
    byte[] payload = columns.bytes();
    int from = columns.offset(i);
    int to = from + columns.length(i);
    for (Part part : parts) {
      if (part.names().contains(columns.ticks(i), columns.lsb(i))) {
        if (part.removes()) {
          return;
        }
        payload = part.blanked().blank(payload, from, to);
        from = 0;
        to = payload.length;
      }
    }
    rest.add(columns.ticks(i), columns.lsb(i), payload, from, to);
  }
}
