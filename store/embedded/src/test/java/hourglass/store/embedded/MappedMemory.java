package hourglass.store.embedded;

import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The memory of this process that is mapped to files of pages. */
public final class MappedMemory {
  private static final String RESIDENT = "Rss:";

  private MappedMemory() {}

  /** Returns the kilobytes in memory of each map below a folder, without maps that use none. */
  public static Map<Path, Long> below(Path folder) throws IOException {
    Path root = folder.toRealPath();
    Map<Path, Long> kilobytes = new HashMap<>();
    Path file = root;
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    for (String line : lines) {
      if (!Character.isUpperCase(line.charAt(0))) { // of a mapping; its figures follow
        int path = line.indexOf('/');
        file = path < 0 ? root : Path.of(line.substring(path));
      } else if (line.startsWith(RESIDENT) && isMap(file, root)) {
        long resident = Long.parseLong(line.replaceAll("\\D", ""));
        if (resident > 0) {
          kilobytes.merge(file, resident, Long::sum);
        }
      }
    }
    return kilobytes;
  }

  private static boolean isMap(Path file, Path root) {
    return file.startsWith(root)
        && file.getFileName().toString().startsWith(StoreFiles.PAGES_PREFIX);
  }
}
