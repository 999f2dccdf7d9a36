package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.frames.RecordOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A page file, as the catalogue and the foot of the file list it.
 *
 * @param bytes the length of the file; the foot does not contain itself, and has 0
 * @param newestGroup the newest log group of its columns
 * @param replacedBytes the bytes of its sections that were replaced
 * @param goneBytes the bytes of its sections whose hours were deleted
 * @param goneSince the first hour since 1970 in which one was deleted; 0 if there is none
 */
public record PageFileRecord(
    long number,
    long bytes,
    long newestGroup,
    long replacedBytes,
    long goneBytes,
    int goneSince,
    List<PageSection> sections)
    implements CatalogueRecord {

  public PageFileRecord {
    sections = List.copyOf(sections);
  }

  @Override
  public void writeTo(RecordOutput out) throws IOException {
    out.putByte(FILE);
    out.putLong(number);
    out.putLong(bytes);
    out.putLong(newestGroup);
    out.putLong(replacedBytes);
    out.putLong(goneBytes);
    out.putInt(goneSince);
    out.putInt(sections.size());
    for (PageSection section : sections) {
      section.writeTo(out);
    }
  }

  /** A new file, all of whose sections are in use. */
  static PageFileRecord of(long number, long newestGroup, List<PageSection> sections) {
    return new PageFileRecord(number, 0, newestGroup, 0, 0, 0, sections);
  }

  static PageFileRecord readFrom(ByteBuffer in) {
    long number = in.getLong();
    long bytes = in.getLong();
    long newestGroup = in.getLong();
    long replacedBytes = in.getLong();
    long goneBytes = in.getLong();
    int goneSince = in.getInt();
    List<PageSection> sections = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      sections.add(PageSection.readFrom(in));
    }
    return new PageFileRecord(
        number, bytes, newestGroup, replacedBytes, goneBytes, goneSince, sections);
  }

  /** Returns the same file if sections of other hours are not in use. */
  PageFileRecord onlyOf(Predicate<Hour> hours) {
    List<PageSection> kept =
        sections.stream().filter(section -> hours.test(section.of().hour())).toList();
    long left = sections.stream().mapToLong(PageSection::bytes).sum();
    long keptBytes = kept.stream().mapToLong(PageSection::bytes).sum();
    return new PageFileRecord(
        number, bytes, newestGroup, replacedBytes + left - keptBytes, goneBytes, goneSince, kept);
  }

  PageFileRecord withBytes(long length) {
    return new PageFileRecord(
        number, length, newestGroup, replacedBytes, goneBytes, goneSince, sections);
  }
}
