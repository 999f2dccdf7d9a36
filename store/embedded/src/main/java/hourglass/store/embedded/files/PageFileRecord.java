package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.frames.RecordOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A page file, as the catalogue and the foot of the file list it.
 *
 * @param bytes the length of the file; the foot does not contain itself, and has 0
 * @param newestGroup the newest log group of its columns
 * @param goneBytes the bytes of hours that were deleted, in sections that were in use or not
 * @param goneSince the first hour since 1970 in which one was deleted; 0 if there is none
 * @param replaced the bytes of its sections that were replaced, and of those that were not
 *     completed, by hours that are not deleted yet
 */
public record PageFileRecord(
    long number,
    long bytes,
    long newestGroup,
    long goneBytes,
    int goneSince,
    List<PageSection> sections,
    Map<ClassHour, Long> replaced)
    implements CatalogueRecord {

  public PageFileRecord {
    sections = List.copyOf(sections);
    replaced = Map.copyOf(replaced);
  }

  @Override
  public void writeTo(RecordOutput out) throws IOException {
    out.putByte(FILE);
    out.putLong(number);
    out.putLong(bytes);
    out.putLong(newestGroup);
    out.putLong(goneBytes);
    out.putInt(goneSince);
    out.putInt(sections.size());
    for (PageSection section : sections) {
      section.writeTo(out);
    }
    out.putInt(replaced.size());
    for (Map.Entry<ClassHour, Long> each : new TreeMap<>(replaced).entrySet()) {
      each.getKey().writeTo(out);
      out.putLong(each.getValue());
    }
  }

  /** A new file, all of whose sections are in use; {@code notCompleted} has the bytes of others. */
  static PageFileRecord of(
      long number,
      long newestGroup,
      List<PageSection> sections,
      Map<ClassHour, Long> notCompleted) {
    return new PageFileRecord(number, 0, newestGroup, 0, 0, sections, notCompleted);
  }

  static PageFileRecord readFrom(ByteBuffer in) {
    long number = in.getLong();
    long bytes = in.getLong();
    long newestGroup = in.getLong();
    long goneBytes = in.getLong();
    int goneSince = in.getInt();
    List<PageSection> sections = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      sections.add(PageSection.readFrom(in));
    }
    Map<ClassHour, Long> replaced = new TreeMap<>();
    for (int left = in.getInt(); left > 0; left--) {
      replaced.put(ClassHour.readFrom(in), in.getLong());
    }
    return new PageFileRecord(number, bytes, newestGroup, goneBytes, goneSince, sections, replaced);
  }

  /** Returns the same file as if all other hours were deleted in an hour since 1970. */
  PageFileRecord onlyOf(Predicate<Hour> hours, int since) {
    List<PageSection> kept = new ArrayList<>(sections);
    kept.removeIf(section -> !hours.test(section.of().hour()));
    Map<ClassHour, Long> keptReplaced = new TreeMap<>(replaced);
    keptReplaced.keySet().removeIf(of -> !hours.test(of.hour()));
    long gone = bytesOf(sections, replaced) - bytesOf(kept, keptReplaced);
    return new PageFileRecord(
        number,
        bytes,
        newestGroup,
        goneBytes + gone,
        gone > 0 && goneSince == 0 ? since : goneSince,
        kept,
        keptReplaced);
  }

  private static long bytesOf(List<PageSection> sections, Map<ClassHour, Long> replaced) {
    return sections.stream().mapToLong(PageSection::bytes).sum()
        + replaced.values().stream().mapToLong(Long::longValue).sum();
  }

  PageFileRecord withBytes(long length) {
    return new PageFileRecord(
        number, length, newestGroup, goneBytes, goneSince, sections, replaced);
  }
}
