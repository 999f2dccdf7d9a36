package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.StoreFiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The missing parts of a data directory that a setting allows. New columns are written to another
 * folder, so that the parts can be restored. Thread-safe.
 */
public final class MissingParts {
  private static final Logger logger = LoggerFactory.getLogger(MissingParts.class);

  /**
   * The most missing hours of a class that the proposed setting names; if there are more, it names
   * the class.
   */
  private static final int HOURS_MAX = 50;

  private static final int NAMED_MAX = 20;

  /** The most parts in an answer; one more entry counts the others. */
  private static final int ANSWERED_MAX = 100;

  public static final String KEY = "store.embedded.missing";

  /** The generation that stands for a whole folder that cannot be read. */
  public static final int ALL = -1;

  /** A missing map or folder. */
  private record Part(String path, String retentionClass, Hour hour, int generation) {}

  private final List<String> accepted;
  private final NavigableMap<Hour, List<Part>> byHour = new ConcurrentSkipListMap<>();

  /** The missing parts that may affect any hour. */
  private final List<String> everywhere = new CopyOnWriteArrayList<>();

  private final Set<String> used = new HashSet<>();

  /** Allows the {@code accepted} paths to be missing, with all that is below them. */
  public MissingParts(Collection<String> accepted) {
    this.accepted = accepted.stream().map(path -> path.replaceAll("/+$", "")).toList();
  }

  public static String setting(Collection<String> paths) {
    return paths.stream().collect(Collectors.joining(", ", "--set '" + KEY + "=[", "]'"));
  }

  public boolean accepts(String path) {
    for (String each : accepted) {
      if (path.equals(each) || path.startsWith(each + "/")) {
        used.add(each);
        return true;
      }
    }
    return false;
  }

  /** Records a part that may affect any hour. */
  public void everywhere(String path) {
    logger.warn("{}: missing, as {} allows; no answer is complete", path, KEY);
    everywhere.add(path);
  }

  void add(HourFiles files, int generation, String path) {
    Part part = new Part(path, files.retentionClass(), files.hour(), generation);
    byHour.computeIfAbsent(part.hour(), any -> new CopyOnWriteArrayList<>()).add(part);
  }

  /**
   * Throws CorruptException if a part is missing that is not accepted. The message names all of
   * them, and a setting that allows them.
   */
  public void refuseUnaccepted(StoreFiles files) {
    List<Part> all = byHour.values().stream().flatMap(List::stream).toList();
    List<String> unaccepted =
        all.stream().map(Part::path).filter(path -> !accepts(path)).distinct().toList();
    if (!unaccepted.isEmpty()) {
      boolean one = unaccepted.size() == 1;
      throw new CorruptException(
          ("%s: %s missing: %s; restore %s, or serve the rest, with answers over it that are not"
                  + " complete: %s")
              .formatted(
                  files.dir(),
                  one ? "1 part is" : unaccepted.size() + " parts are",
                  named(unaccepted.stream().map(path -> files.dir().resolve(path) + "").toList()),
                  one ? "it" : "them",
                  setting(proposed(unaccepted))));
    }
    for (Part part : all) {
      logger.warn(
          "{}: missing, as {} allows; no answer over {} is complete",
          part.path(),
          KEY,
          part.hour());
    }
  }

  public void warnUnused() {
    for (String path : accepted) {
      if (!used.contains(path)) {
        logger.warn("{}: has {}, which is there and is served; take it out", KEY, path);
      }
    }
  }

  private Collection<String> proposed(List<String> unaccepted) {
    Set<String> proposed = new TreeSet<>(accepted);
    Map<String, List<String>> byClass = new TreeMap<>();
    for (String path : unaccepted) {
      String[] names = path.split("/", -1);
      String above = names.length < 3 ? path : names[0] + "/" + names[1];
      byClass.computeIfAbsent(above, any -> new ArrayList<>()).add(path);
    }
    byClass.forEach(
        (above, paths) -> proposed.addAll(paths.size() > HOURS_MAX ? List.of(above) : paths));
    return proposed;
  }

  private static String named(List<String> paths) {
    String text = String.join(", ", paths.subList(0, Math.min(NAMED_MAX, paths.size())));
    return paths.size() > NAMED_MAX ? text + " and others" : text;
  }

  /** Returns the generations of a folder's missing maps; {@link #ALL} if no map can be read. */
  public Set<Integer> generations(String retentionClass, Hour hour) {
    return parts(retentionClass, hour).stream().map(Part::generation).collect(Collectors.toSet());
  }

  /** Returns the first class whose folder of the hour has no missing part. */
  public String classToWrite(String retentionClass, Hour hour) {
    String name = retentionClass;
    while (!parts(name, hour).isEmpty()) {
      name += StoreFiles.BESIDE;
    }
    return name;
  }

  private List<Part> parts(String retentionClass, Hour hour) {
    return byHour.getOrDefault(hour, List.of()).stream()
        .filter(part -> part.retentionClass().equals(retentionClass))
        .toList();
  }

  public boolean isOf(Hour hour) {
    return byHour.containsKey(hour);
  }

  public void forget(String retentionClass, Hour hour) {
    byHour.computeIfPresent(
        hour,
        (any, parts) -> {
          List<Part> left = new CopyOnWriteArrayList<>(parts);
          left.removeIf(part -> part.retentionClass().equals(retentionClass));
          return left.isEmpty() ? null : left;
        });
  }

  public int count() {
    return everywhere.size() + byHour.values().stream().mapToInt(List::size).sum();
  }

  /** Names the parts that are missing, or may be, in the hours {@code [from, to]}. */
  public List<String> of(Hour from, Hour to) {
    if (everywhere.isEmpty() && byHour.isEmpty() || from.compareTo(to) > 0) {
      return List.of();
    }
    TreeSet<String> paths = new TreeSet<>(everywhere);
    byHour
        .subMap(from, true, to, true)
        .values()
        .forEach(parts -> parts.forEach(part -> paths.add(part.path())));
    return paths.size() <= ANSWERED_MAX
        ? List.copyOf(paths)
        : Stream.concat(
                paths.stream().limit(ANSWERED_MAX),
                Stream.of("and " + (paths.size() - ANSWERED_MAX) + " others"))
            .toList();
  }
}
