package hourglass.query;

import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which events a question is about. Immutable.
 *
 * @param types the event types, or none at all for every type
 * @param range the times
 * @param contains what a payload must contain, as text of its bytes; empty: anything
 * @param where an expression that must be true of an event; empty: none
 */
public record Selection(SortedSet<String> types, TimeRange range, String contains, String where) {
  /** Every event there is. */
  public static final Selection ALL = new Selection(new TreeSet<>(), TimeRange.ALL, "");

  public Selection {
    types = Collections.unmodifiableSortedSet(new TreeSet<>(types));
  }

  /** Without an expression. */
  public Selection(SortedSet<String> types, TimeRange range, String contains) {
    this(types, range, contains, "");
  }

  /** Whether events of a type are among them. */
  public boolean hasType(String type) {
    return types.isEmpty() || types.contains(type);
  }

  /** The rows that may hold such events, by type, sorted by key. */
  public List<RowEntry> of(List<RowEntry> rows) {
    return rows.stream()
        .filter(entry -> hasType(entry.row().type()))
        .sorted(Comparator.comparing(RowEntry::row))
        .toList();
  }

  /** What a store lacks of these hours. */
  public List<String> missingOf(WideColumnStore store) {
    return range.isEmpty() ? List.of() : store.missing(range.firstHour(), range.lastHour());
  }

  /** The same for equal selections only (odds 2^-64), in every process. */
  public long digest() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeLong(range.fromTicks());
      out.writeLong(range.toTicks());
      out.writeInt(types.size());
      for (String type : types) {
        out.writeUTF(type);
      }
      byte[] text = contains.getBytes(StandardCharsets.UTF_8);
      out.writeInt(text.length);
      out.write(text);
      out.write(where.getBytes(StandardCharsets.UTF_8));
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
      return ByteBuffer.wrap(hash).getLong();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
