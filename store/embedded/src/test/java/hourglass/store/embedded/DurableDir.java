package hourglass.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a directory that survives a power cut: the names at the last force; each later change
 * may survive or not. Not thread-safe.
 */
final class DurableDir {
  /** Names that changed together; null: deleted. */
  private record Change(Map<String, @Nullable Object> names) {}

  // Values are DurableFile or DurableDir.
  private final Map<String, Object> durable = new HashMap<>();
  private final Map<String, Object> live = new HashMap<>();
  private final List<Change> pending = new ArrayList<>();

  /** All that is in a real directory, as durable. */
  static DurableDir of(Path real) throws IOException {
    DurableDir dir = new DurableDir();
    for (Path path : list(real)) {
      Object node = Files.isDirectory(path) ? of(path) : new DurableFile(path);
      if (node instanceof DurableFile file) {
        file.force();
      }
      dir.durable.put(path.getFileName().toString(), node);
    }
    dir.live.putAll(dir.durable);
    return dir;
  }

  private static List<Path> list(Path real) throws IOException {
    try (Stream<Path> paths = Files.list(real)) {
      return paths.filter(path -> !path.getFileName().toString().equals("LOCK")).toList();
    }
  }

  /** Finds names that were made without being told, as those of first times are. */
  void discover(Path real) throws IOException {
    for (Path path : list(real)) {
      String name = path.getFileName().toString();
      if (!live.containsKey(name)) {
        put(name, Files.isDirectory(path) ? new DurableDir() : new DurableFile(path));
      }
    }
  }

  @Nullable Object get(String name) {
    return live.get(name);
  }

  void put(String name, Object node) {
    live.put(name, node);
    Map<String, @Nullable Object> names = new HashMap<>();
    names.put(name, node);
    pending.add(new Change(names));
  }

  void remove(String name) {
    live.remove(name);
    Map<String, @Nullable Object> names = new HashMap<>();
    names.put(name, null);
    pending.add(new Change(names));
  }

  void rename(String from, String to) {
    Object node = live.remove(from);
    live.put(to, node);
    Map<String, @Nullable Object> names = new HashMap<>();
    names.put(from, null);
    names.put(to, node);
    pending.add(new Change(names));
  }

  void force() {
    durable.clear();
    durable.putAll(live);
    pending.clear();
  }

  /** Tells the files below where they are now. */
  void locate(Path real) {
    live.forEach(
        (name, node) -> {
          if (node instanceof DurableDir dir) {
            dir.locate(real.resolve(name));
          } else {
            ((DurableFile) node).real = real.resolve(name);
          }
        });
  }

  /** Writes the directory as a power cut could leave it. */
  void writeTo(Path target, Random random) throws IOException {
    Map<String, Object> names = new HashMap<>(durable);
    double kept = random.nextInt(3) / 2.0;
    for (Change change : pending) {
      if (random.nextDouble() < kept) {
        change
            .names()
            .forEach(
                (name, node) -> {
                  if (node == null) {
                    names.remove(name);
                  } else {
                    names.put(name, node);
                  }
                });
      }
    }
    Files.createDirectories(target);
    for (Map.Entry<String, Object> entry : names.entrySet()) {
      Path path = target.resolve(entry.getKey());
      if (entry.getValue() instanceof DurableDir dir) {
        dir.writeTo(path, random);
      } else {
        ((DurableFile) entry.getValue()).writeTo(path, random);
      }
    }
  }
}
