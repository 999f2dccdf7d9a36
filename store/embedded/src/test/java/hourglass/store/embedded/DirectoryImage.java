package hourglass.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All files below a directory, as they were at one moment. Immutable. */
final class DirectoryImage {
  private record Sparse(long size, Map<Integer, byte[]> blocks) {}

  private final Map<String, Sparse> files;
  private final List<String> folders;

  private DirectoryImage(Map<String, Sparse> files, List<String> folders) {
    this.files = files;
    this.folders = folders;
  }

  static DirectoryImage of(Path dir) throws IOException {
    Map<String, Sparse> files = new TreeMap<>();
    for (Path file : walk(dir).filter(Files::isRegularFile).toList()) {
      Sparse content = new Sparse(Files.size(file), SparseFile.blocks(file));
      files.put(dir.relativize(file).toString(), content);
    }
    List<String> folders =
        walk(dir).filter(Files::isDirectory).map(each -> dir.relativize(each).toString()).toList();
    return new DirectoryImage(files, folders);
  }

  private static Stream<Path> walk(Path dir) throws IOException {
    try (Stream<Path> paths = Files.walk(dir)) {
      return paths.sorted().toList().stream();
    }
  }

  /** The folders in a directory, sorted; none if it is not there. */
  static List<Path> folders(Path dir) throws IOException {
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(dir)) {
      return paths.filter(Files::isDirectory).sorted().toList();
    }
  }

  /** The names of the files, relative to the directory, sorted. */
  List<String> files() {
    return List.copyOf(files.keySet());
  }

  /** The names of the folders, in the same way; that of the directory is empty. */
  List<String> folders() {
    return folders;
  }

  /**
   * Returns the blocks of a file that contain bytes: a flipped bit in a hole would change nothing.
   */
  List<Integer> blocks(String file) {
    return files.get(file).blocks().keySet().stream().sorted().toList();
  }

  long size(String file) {
    return files.get(file).size();
  }

  void writeTo(Path dir) throws IOException {
    for (String folder : folders) {
      Files.createDirectories(dir.resolve(folder));
    }
    for (Map.Entry<String, Sparse> file : files.entrySet()) {
      Path path = dir.resolve(file.getKey());
      SparseFile.write(path, file.getValue().size(), file.getValue().blocks());
    }
  }
}
