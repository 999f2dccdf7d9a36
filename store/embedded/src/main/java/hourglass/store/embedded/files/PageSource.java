package hourglass.store.embedded.files;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Listed sections of page files, and the bytes of these files. Thread-safe. */
public interface PageSource {

  /** Returns the sections of an hour and class, the oldest first. */
  List<SectionInFile> sections(ClassHour of);

  /** Returns the pages of an hour and class that repairs took out of use. */
  List<LostPage> lost(ClassHour of);

  /**
   * Reads a file, which stays open meanwhile.
   *
   * @throws hourglass.store.CorruptException for any failure of the reading; the message does not
   *     contain the name of the file
   * @throws hourglass.store.UnavailableException if the file cannot be opened
   */
  <T> T read(long number, Function<PositionalReader, T> reading);

  /** Returns the path of a file, for messages. */
  Path path(long number);
}
