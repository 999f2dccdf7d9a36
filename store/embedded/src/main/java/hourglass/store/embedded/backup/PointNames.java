package hourglass.store.embedded.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The files of the pool that points need. A point never changes, so one of the same length and time
 * is not read again; of its names, only hashes stay in memory. Not thread-safe.
 */
public final class PointNames {
  /** The most names in memory, 8 MiB; points beyond that are read each time. */
  private static final int NAMES_MAX = 1 << 20;

  private static final int HASH_DIGITS = 16;

  private final Map<Path, Names> known = new HashMap<>();
  private final int namesMax;

  @SuppressWarnings("ArrayRecordComponent") // a compact set, never compared
  private record Names(long bytes, FileTime modified, long[] hashes) {}

  public PointNames() {
    this(NAMES_MAX);
  }

  PointNames(int namesMax) {
    this.namesMax = namesMax;
  }

  /** Returns the files of a pool that none of its points needs. */
  Collection<String> unneeded(BackupFiles backup, List<String> points) throws IOException {
    Map<Long, String> unneeded = new TreeMap<>();
    for (String name : backup.poolNames()) {
      unneeded.put(hash(name), name);
    }
    for (String id : points) {
      if (!unneeded.isEmpty()) {
        for (long hash : hashes(backup, id)) {
          unneeded.remove(hash);
        }
      }
    }
    return unneeded.values();
  }

  private long[] hashes(BackupFiles backup, String id) throws IOException {
    Path path = backup.point(id);
    long bytes = Files.size(path);
    FileTime modified = Files.getLastModifiedTime(path);
    Names names = known.get(path);
    if (names != null && names.bytes() == bytes && names.modified().equals(modified)) {
      return names.hashes();
    }
    known.remove(path);
    long[] hashes =
        PointReader.read(backup, id).pooled().keySet().stream()
            .mapToLong(PointNames::hash)
            .toArray();
    if (hashes.length + known.values().stream().mapToLong(each -> each.hashes().length).sum()
        <= namesMax) {
      known.put(path, new Names(bytes, modified, hashes));
    }
    return hashes;
  }

  /** Forgets all points but these. */
  void retain(Set<Path> points) {
    known.keySet().retainAll(points);
  }

  /** Returns 64 bits of the digest in a name, which makes the names of a pool differ. */
  private static long hash(String name) {
    int number = name.indexOf('-');
    long digest = HexFormat.fromHexDigitsToLong(name, number + 1, number + 1 + HASH_DIGITS);
    return number < 0 ? digest : digest + 31 * Long.parseLong(name, 0, number, 10);
  }
}
