package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * The page files of one moment, in any folder: those of a backup, or of a directory that nobody has
 * open. Nothing is written. Thread-safe.
 */
public final class PageSnapshot implements PageSource, Closeable {
  /** The most open files: a reader of an hour needs few at a time, and a store has its own. */
  private static final int OPEN_MAX = 64;

  private final ListedPages pages;
  private final LongFunction<Path> paths;
  private final OpenPageFiles open;

  private PageSnapshot(ListedPages pages, LongFunction<Path> paths, OpenPageFiles open) {
    this.pages = pages;
    this.paths = paths;
    this.open = open;
  }

  /** Creates a snapshot of what a catalogue lists; {@code paths} has the paths of files. */
  public static PageSnapshot of(CatalogueContent listed, LongFunction<Path> paths) {
    ListedPages pages = new ListedPages();
    listed.files().forEach(pages::add);
    listed.lost().forEach(pages::add);
    return new PageSnapshot(pages, paths, new OpenPageFiles(new SystemDisk(), paths, OPEN_MAX));
  }

  /** Returns all hours and classes that have pages, sorted. */
  public List<ClassHour> hours() {
    return pages.hours();
  }

  /** Returns the retention classes that have pages of an hour. */
  public List<String> classes(Hour hour) {
    return pages.classes(hour);
  }

  @Override
  public List<SectionInFile> sections(ClassHour of) {
    return pages.sections(of);
  }

  @Override
  public List<LostPage> lost(ClassHour of) {
    return pages.lost(of);
  }

  @Override
  public <T> T read(long number, Function<PositionalReader, T> reading) {
    try {
      return open.read(number, reading);
    } catch (CorruptException | UnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CorruptException(e.toString(), e);
    }
  }

  /** The number of files that are open for reading. */
  int openFiles() {
    return open.count();
  }

  @Override
  public Path path(long number) {
    return paths.apply(number);
  }

  @Override
  public void close() {
    open.close();
  }
}
