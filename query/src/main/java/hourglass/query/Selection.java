package hourglass.query;

import com.google.common.hash.Hashing;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import com.google.common.primitives.Longs;
import hourglass.bucketing.Hour;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The events that a query selects. Immutable.
 *
 * @param types empty for every type
 * @param contains text whose bytes a payload must contain; empty for no condition
 * @param ignoreCase whether {@code contains} ignores case, by Unicode's simple folding
 * @param words texts whose words must occur in a payload, in any case
 * @param where empty for no condition
 * @param content a condition of another language; null for none
 */
public record Selection(
    SortedSet<String> types,
    TimeRange range,
    String contains,
    boolean ignoreCase,
    List<String> words,
    String where,
    @Nullable ContentFilter content) {
  public static final Selection ALL = new Selection(new TreeSet<>(), TimeRange.ALL, "");

  public Selection {
    types = Collections.unmodifiableSortedSet(new TreeSet<>(types));
    words = List.copyOf(words);
  }

  /** Selects the events of a range that meet a condition of another language; all if it is null. */
  public Selection(TimeRange range, @Nullable ContentFilter content) {
    this(new TreeSet<>(), range, "", false, List.of(), "", content);
  }

  public Selection(
      SortedSet<String> types, TimeRange range, String contains, boolean ignoreCase, String where) {
    this(types, range, contains, ignoreCase, List.of(), where, null);
  }

  public Selection(SortedSet<String> types, TimeRange range, String contains) {
    this(types, range, contains, "");
  }

  public Selection(SortedSet<String> types, TimeRange range, String contains, String where) {
    this(types, range, contains, false, where);
  }

  public Selection within(TimeRange other) {
    return new Selection(types, other, contains, ignoreCase, words, where, content);
  }

  public boolean hasType(String type) {
    return (types.isEmpty() || types.contains(type)) && (content == null || content.mayBeOf(type));
  }

  /** Whether events are selected by their content. */
  public boolean isFiltered() {
    return !contains.isEmpty()
        || !words.isEmpty()
        || !where.isEmpty()
        || content != null && content.readsPayload();
  }

  /** Returns the rows that may contain selected events, by type, sorted by key. */
  public List<RowEntry> of(List<RowEntry> rows) {
    return rows.stream()
        .filter(entry -> hasType(entry.row().type()))
        .sorted(Comparator.comparing(RowEntry::row))
        .toList();
  }

  /**
   * Returns the parts of these hours that a store does not have. Ask after the rows were read: what
   * was dropped meanwhile is then in the answer.
   */
  public CompletionStage<Gaps> gapsOf(WideColumnStore store) {
    if (range.isEmpty()) {
      return CompletableFuture.completedFuture(Gaps.NONE);
    }
    Hour from = range.firstHour();
    Hour to = range.lastHour();
    return store
        .dropped(from, to)
        .thenApply(
            dropped ->
                new Gaps(store.missing(from, to, this::hasType), dropped.ofTypes(this::hasType)));
  }

  /**
   * Returns a hash that is the same in every process. Different selections collide with odds of
   * 2^-64.
   */
  public long digest() {
    ByteArrayDataOutput out = ByteStreams.newDataOutput();
    out.writeLong(range.fromTicks());
    out.writeLong(range.toTicks());
    out.writeInt(types.size());
    types.forEach(out::writeUTF);
    write(out, contains);
    out.writeBoolean(ignoreCase);
    out.writeInt(words.size());
    words.forEach(each -> write(out, each));
    out.write(where.getBytes(StandardCharsets.UTF_8));
    if (content != null) {
      out.write(content.toString().getBytes(StandardCharsets.UTF_8));
    }
    return Longs.fromByteArray(Hashing.sha256().hashBytes(out.toByteArray()).asBytes());
  }

  private static void write(ByteArrayDataOutput out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
