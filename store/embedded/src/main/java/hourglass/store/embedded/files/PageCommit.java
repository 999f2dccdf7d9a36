package hourglass.store.embedded.files;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of the pages of any hours, which is written to one new page file, and takes effect as a
 * whole or not at all. Nothing is written before the first section. Not thread-safe.
 */
public final class PageCommit implements Closeable {
  private final PageFiles files;
  private final Map<HourPages, NewSection> sections = new LinkedHashMap<>();
  private @Nullable PageFileWriter writer;
  private long number;

  PageCommit(PageFiles files) {
    this.files = files;
  }

  /** Returns the section of an hour and class, to which pages are added. */
  public NewSection section(HourPages hour) throws IOException {
    NewSection known = sections.get(hour);
    return known != null ? known : begin(hour, PageSection.Kind.ADDED, Long.MAX_VALUE);
  }

  /** Begins a section that replaces those of the hour from a file on. */
  NewSection merged(HourPages hour, long fromFile) throws IOException {
    return begin(hour, PageSection.Kind.MERGED, fromFile);
  }

  private NewSection begin(HourPages hour, PageSection.Kind kind, long fromFile)
      throws IOException {
    PageFileWriter file = writer;
    if (file == null) {
      number = files.nextNumber();
      file = files.begin(number);
      writer = file;
    }
    NewSection section = new NewSection(hour, kind, Math.min(fromFile, number), number, file);
    sections.put(hour, section);
    return section;
  }

  /** Leaves out an hour whose section could not be completed. Its bytes stay in the file. */
  public void leaveOut(HourPages hour) {
    sections.remove(hour);
  }

  public boolean isEmpty() {
    return sections.isEmpty();
  }

  /** The bytes that were written so far. */
  public long bytes() {
    return writer == null ? 0 : writer.position();
  }

  /**
   * Makes the file durable, then lists it, and shows its pages. Sections that it replaces end, and
   * files without any other are deleted once no reader may know them.
   */
  public void commit() throws IOException {
    PageFileWriter file = writer;
    if (file == null || sections.isEmpty()) {
      return;
    }
    List<PageSection> ended = new ArrayList<>();
    long newestGroup = 0;
    for (NewSection section : sections.values()) {
      ended.add(section.end());
      newestGroup = Math.max(newestGroup, section.newestGroup());
    }
    PageFileRecord record = PageFileRecord.of(number, newestGroup, ended);
    file.finish(PageFileFormat.foot(record));
    writer = null;
    files.list(record.withBytes(file.position()));
    sections.values().forEach(section -> section.hour().show(section));
  }

  /** Gives up what was not committed. */
  @Override
  public void close() throws IOException {
    PageFileWriter file = writer;
    writer = null;
    if (file != null) {
      files.discard(number); // it may have its name already
      file.abandon();
    }
  }
}
