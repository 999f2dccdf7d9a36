package hourglass.store.erasure;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FirstTimes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The erased columns of a store at a moment: those to hide, since their bytes may still be there,
 * and those of which repeats must not be stored. Immutable.
 */
public final class ErasedColumns {
  public static final ErasedColumns NONE =
      new ErasedColumns(Map.of(), RememberedColumns.NONE, new Object());

  private final Map<TypeHour, HiddenColumns> hidden;
  private final RememberedColumns remembered;
  private final Object mark;

  private ErasedColumns(
      Map<TypeHour, HiddenColumns> hidden, RememberedColumns remembered, Object mark) {
    this.hidden = hidden;
    this.remembered = remembered;
    this.mark = mark;
  }

  /**
   * Returns the columns of all erasures, under another {@link #mark} than before.
   *
   * @param hidden the erasures whose bytes may still be there
   * @param remembered of all erasures, these included
   */
  public static ErasedColumns of(
      Collection<Erasure> hidden, Collection<RememberedColumns> remembered) {
    Map<TypeHour, List<HiddenColumns.Part>> parts = new HashMap<>();
    for (Erasure erasure : hidden) {
      BlankedMembers blanked = new BlankedMembers(erasure.blanked());
      for (ErasedRow row : erasure.rows()) {
        parts
            .computeIfAbsent(row.row().typeHour(), any -> new ArrayList<>())
            .add(new HiddenColumns.Part(row.names(), blanked));
      }
    }
    Map<TypeHour, HiddenColumns> byTypeHour = new HashMap<>();
    parts.forEach((of, all) -> byTypeHour.put(of, HiddenColumns.of(all)));
    return new ErasedColumns(
        byTypeHour, RememberedColumns.union(List.copyOf(remembered)), new Object());
  }

  /**
   * Returns the same under the mark of a moment before. No erasure may have begun since: some ended
   * or were forgotten, which hides no further column.
   */
  public ErasedColumns withMarkOf(ErasedColumns before) {
    return new ErasedColumns(hidden, remembered, before.mark);
  }

  /** Returns an object that stays the same until another erasure begins. */
  public Object mark() {
    return mark;
  }

  /**
   * Returns the columns to hide of a row; null if there are none. A retry may have written an event
   * to another row of its type hour, so erased names count in all of them.
   */
  public @Nullable HiddenColumns hidden(RowKey row) {
    return hidden.isEmpty() ? null : hidden.get(row.typeHour());
  }

  /** Returns whether there is nothing to hide and nothing to remember. */
  public boolean isEmpty() {
    return hidden.isEmpty() && remembered.names().isEmpty();
  }

  /** Returns the number of remembered columns. */
  public long remembered() {
    return remembered.size();
  }

  /** Returns whether a write of these columns would repeat an erased one, by its name. */
  public boolean hasRepeat(TypeHour typeHour, Columns columns) {
    NameHashes hashes = remembered.names().get(typeHour);
    if (hashes == null) {
      return false;
    }
    NameHasher hasher = new NameHasher();
    return IntStream.range(0, columns.size())
        .anyMatch(i -> hashes.hasName(columns.ticks(i), columns.lsb(i), hasher));
  }

  /**
   * Returns the names of columns that are not erased as a whole; the same object if all are. An
   * erasure that is done does not record whether it blanked members only, so its names are left
   * out.
   */
  public Columns withoutErased(TypeHour typeHour, Columns names) {
    if (!hasRepeat(typeHour, names)) {
      return names;
    }
    NameHashes hashes = remembered.names().getOrDefault(typeHour, NameHashes.NONE);
    HiddenColumns unfinished = hidden.get(typeHour);
    NameHasher hasher = new NameHasher();
    ColumnsBuilder rest = new ColumnsBuilder(names.size(), 0);
    for (int i = 0; i < names.size(); i++) {
      boolean stays = unfinished != null && unfinished.onlyBlanks(names.ticks(i), names.lsb(i));
      if (stays || !hashes.hasName(names.ticks(i), names.lsb(i), hasher)) {
        rest.addAll(names, i, i + 1);
      }
    }
    return rest.size() == names.size() ? names : rest.build();
  }

  /** Returns the repeats of erased columns among those of a write. */
  Repeats repeats(FirstTimes firstTimes) {
    return new Repeats(remembered, firstTimes);
  }
}
