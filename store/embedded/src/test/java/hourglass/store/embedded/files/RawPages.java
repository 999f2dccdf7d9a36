package hourglass.store.embedded.files;

import hourglass.store.Columns;
import hourglass.store.Manifest;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.SectionDirectory.Added;
import hourglass.store.embedded.files.SectionDirectory.Entry;
import hourglass.store.embedded.files.SectionDirectory.Indexed;
import hourglass.store.embedded.files.SectionDirectory.Sealed;
import hourglass.store.pages.PageCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All that the page files of a folder have, in use or not, listed or not.
 *
 * @param indexesOfOthers the number of indexes with values of pages that their section lacks
 */
public record RawPages(List<Columns> pages, List<Manifest> manifests, int indexesOfOthers) {

  /** Reads every page file of a data directory that nobody writes to. */
  public static RawPages read(Path dir) throws IOException {
    List<Columns> pages = new ArrayList<>();
    List<Manifest> manifests = new ArrayList<>();
    int others = 0;
    try (PageFiles files = PagesOnDisk.open(new SystemDisk(), dir);
        PageCodec codec = new PageCodec()) {
      for (long number : PageFiles.numbers(new StoreFiles(dir))) {
        PageFileRecord record = PageFileFormat.read(files.path(number), number);
        for (PageSection section : record.sections()) {
          HourPages hour = new HourPages(files, section.of());
          List<Entry> entries = new ArrayList<>();
          hour.readDirectory(new SectionInFile(number, section, 0), entries::add);
          Set<Long> numbers = new HashSet<>();
          for (Entry entry : entries) {
            if (entry instanceof Added added) {
              numbers.add(added.page().number());
              pages.add(codec.decode(hour.copyOf(added.page())));
            } else if (entry instanceof Sealed sealed) {
              manifests.add(sealed.manifest());
            } else if (entry instanceof Indexed indexed
                && !numbers.containsAll(indexed.index().pages())) {
              others++;
            }
          }
        }
      }
    }
    return new RawPages(pages, manifests, others);
  }
}
