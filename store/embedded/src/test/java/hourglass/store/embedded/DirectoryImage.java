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
  private final Map<String, byte[]> files;
  private final List<String> folders;

  private DirectoryImage(Map<String, byte[]> files, List<String> folders) {
    this.files = files;
    this.folders = folders;
  }

  static DirectoryImage of(Path dir) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (Path file : walk(dir).filter(Files::isRegularFile).toList()) {
      files.put(dir.relativize(file).toString(), Files.readAllBytes(file));
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

  byte[] bytes(String file) {
    return files.get(file).clone();
  }

  long size(String file) {
    return files.get(file).length;
  }

  void writeTo(Path dir) throws IOException {
    for (String folder : folders) {
      Files.createDirectories(dir.resolve(folder));
    }
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(dir.resolve(file.getKey()), file.getValue());
    }
  }
}
