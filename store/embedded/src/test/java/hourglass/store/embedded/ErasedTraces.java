package hourglass.store.embedded;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.Manifest;
import hourglass.store.embedded.files.RawPages;
import hourglass.store.erasure.ErasedRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds what is left of erased columns in a data directory: a text of their payloads, or their
 * names, in the bytes of any file and in the decoded pages, directories and manifests.
 *
 * @param marker a text that all erased payloads have, and no others
 * @param names of columns whose names are erased too
 */
record ErasedTraces(String marker, Set<TimeUuid> names) {
  static ErasedTraces of(String marker, List<ErasedRow> erased) {
    Set<TimeUuid> names = new HashSet<>();
    for (ErasedRow row : erased) {
      for (int i = 0; i < row.names().size(); i++) {
        names.add(row.names().id(i));
      }
    }
    return new ErasedTraces(marker, names);
  }

  /** Returns each trace once, for a person. The store must be closed, or this be an image of it. */
  Set<String> in(Path dir) throws IOException {
    Set<String> found = new TreeSet<>();
    List<Path> files;
    try (Stream<Path> paths = Files.walk(dir)) {
      files = paths.filter(Files::isRegularFile).sorted().toList();
    }
    Map<Long, String> halves = new HashMap<>();
    for (TimeUuid name : names) {
      halves.put(name.ticks(), "ticks");
      halves.put(name.lsb(), "lower half");
    }
    for (Path file : files) {
      addRaw(dir.relativize(file).toString(), Files.readAllBytes(file), halves, found);
    }
    addDecoded(RawPages.read(dir), found);
    return found;
  }

  private void addRaw(String file, byte[] bytes, Map<Long, String> halves, Set<String> found) {
    if (new String(bytes, StandardCharsets.ISO_8859_1).contains(marker)) {
      found.add(file + ": payload");
    }
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(order);
      for (int at = 0; at + Long.BYTES <= bytes.length; at++) {
        String half = halves.get(buffer.getLong(at));
        if (half != null) {
          found.add(file + ": " + half);
        }
      }
    }
  }

  private void addDecoded(RawPages pages, Set<String> found) {
    for (Columns columns : pages.pages()) {
      for (int i = 0; i < columns.size(); i++) {
        if (names.contains(columns.id(i))) {
          found.add("pages: name");
        }
        if (new String(columns.payload(i), StandardCharsets.UTF_8).contains(marker)) {
          found.add("pages: payload");
        }
      }
    }
    for (Manifest manifest : pages.manifests()) {
      if (names.contains(manifest.first()) || names.contains(manifest.last())) {
        found.add("manifests: name");
      }
    }
  }
}
