package hourglass.store.embedded.pages;

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
 * What belongs to a data directory and is not there, though the store serves the rest since it was
 * told to. Nothing is written where something is missing, so that it can be put back; columns of
 * such an hour go into a folder beside it. Thread-safe.
 */
public final class MissingParts {
  private static final Logger log = LoggerFactory.getLogger(MissingParts.class);

  /** Beyond so many hours of a class, the setting that is proposed names the class. */
  private static final int HOURS_MAX = 50;

  /** Of those that a message names. */
  private static final int NAMED_MAX = 20;

  /** Of those that an answer names; how many others there are is said at their end. */
  private static final int ANSWERED_MAX = 100;

  /** The setting that takes the paths of what may be missing. */
  public static final String KEY = "store.embedded.missing";

  /**
   * Something that is missing.
   *
   * @param path relative to the data directory
   * @param generation which map; -1: the folder as a whole cannot be read
   */
  private record Part(String path, String retentionClass, Hour hour, int generation) {}

  private final List<String> accepted;
  private final NavigableMap<Hour, List<Part>> byHour = new ConcurrentSkipListMap<>();

  /** What leaves every hour in doubt. */
  private final List<String> everywhere = new CopyOnWriteArrayList<>();

  private final Set<String> used = new HashSet<>();

  /**
   * @param accepted paths that may be missing, with all below them
   */
  public MissingParts(Collection<String> accepted) {
    this.accepted = accepted.stream().map(path -> path.replaceAll("/+$", "")).toList();
  }

  /** The setting as a shell takes it. */
  public static String setting(Collection<String> paths) {
    return paths.stream().collect(Collectors.joining(", ", "--set '" + KEY + "=[", "]'"));
  }

  /** Whether the setting has a path, or one above it. */
  public boolean accepts(String path) {
    for (String each : accepted) {
      if (path.equals(each) || path.startsWith(each + "/")) {
        used.add(each);
        return true;
      }
    }
    return false;
  }

  /** Every hour may lack something for this. */
  public void everywhere(String path) {
    log.warn("{}: missing, as {} allows; no answer is complete", path, KEY);
    everywhere.add(path);
  }

  void folder(HourFiles files, String path) {
    add(new Part(path, files.retentionClass(), files.hour(), -1));
  }

  void generation(HourFiles files, int generation, String path) {
    add(new Part(path, files.retentionClass(), files.hour(), generation));
  }

  private void add(Part part) {
    byHour.computeIfAbsent(part.hour(), any -> new CopyOnWriteArrayList<>()).add(part);
  }

  /**
   * Ends the search at the start.
   *
   * @throws CorruptException if something is missing that the setting does not have: it names all,
   *     and the setting that would do
   */
  public void refuseUnaccepted(StoreFiles files) {
    List<Part> all = byHour.values().stream().flatMap(List::stream).toList();
    List<String> unaccepted =
        all.stream().map(Part::path).filter(path -> !accepts(path)).distinct().toList();
    if (!unaccepted.isEmpty()) {
      throw new CorruptException(
          files.dir()
              + ": "
              + unaccepted.size()
              + (unaccepted.size() == 1 ? " part is" : " parts are")
              + " missing: "
              + named(unaccepted.stream().map(path -> files.dir().resolve(path) + "").toList())
              + "; restore "
              + (unaccepted.size() == 1 ? "it" : "them")
              + ", or serve the rest, with answers over it that are not complete: "
              + setting(proposed(unaccepted)));
    }
    for (Part part : all) {
      log.warn(
          "{}: missing, as {} allows; no answer over {} is complete",
          part.path(),
          KEY,
          part.hour());
    }
  }

  /** Warns of what may be missing and is there. */
  public void warnUnused() {
    for (String path : accepted) {
      if (!used.contains(path)) {
        log.warn("{}: has {}, which is there and is served; take it out", KEY, path);
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

  /** Whether a folder is not to be read. */
  public boolean isWhole(String retentionClass, Hour hour) {
    return parts(retentionClass, hour).stream().anyMatch(part -> part.generation() < 0);
  }

  /** The maps of a folder that are missing. */
  public Set<Integer> generations(String retentionClass, Hour hour) {
    return parts(retentionClass, hour).stream().map(Part::generation).collect(Collectors.toSet());
  }

  /** The class whose folder takes what is written of an hour: nothing is where some is missing. */
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

  /** Whether something of an hour is missing. */
  public boolean isOf(Hour hour) {
    return byHour.containsKey(hour);
  }

  /** An hour and class is no more, and with it what was missing. */
  public void forget(String retentionClass, Hour hour) {
    byHour.computeIfPresent(
        hour,
        (any, parts) -> {
          List<Part> left = new CopyOnWriteArrayList<>(parts);
          left.removeIf(part -> part.retentionClass().equals(retentionClass));
          return left.isEmpty() ? null : left;
        });
  }

  /** How many there are. */
  public int count() {
    return everywhere.size() + byHour.values().stream().mapToInt(List::size).sum();
  }

  /** What is missing of the hours in {@code [from, to]}, or may be, by its path. */
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
