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
 * The missing parts of a data directory that a setting allows. The catalogue still lists them, and
 * their hours are not merged, so that they can be restored. Thread-safe.
 */
public class MissingParts {
  private static final Logger logger = LoggerFactory.getLogger(MissingParts.class);

  /**
   * The most missing files of a folder that the proposed setting names; if there are more, it names
   * the folder.
   */
  private static final int FILES_MAX = 50;

  private static final int NAMED_MAX = 20;

  /** The most parts in an answer; one more entry counts the others. */
  private static final int ANSWERED_MAX = 100;

  public static final String KEY = "store.embedded.missing";

  /** A missing page file, with one of the hours that it has pages of. */
  private record Part(String path, ClassHour of, long file) {}

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

  void add(ClassHour of, long file, String path) {
    byHour
        .computeIfAbsent(of.hour(), any -> new CopyOnWriteArrayList<>())
        .add(new Part(path, of, file));
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
          ("%s: %s missing, or of another length than %s lists: %s; restore %s, or serve the rest,"
                  + " with answers over %s that are not complete: %s")
              .formatted(
                  files.dir(),
                  one ? "1 part is" : unaccepted.size() + " parts are",
                  files.catalogue(),
                  named(unaccepted.stream().map(path -> files.dir().resolve(path) + "").toList()),
                  one ? "it" : "them",
                  hours(all),
                  setting(proposed(unaccepted))));
    }
    all.stream()
        .collect(Collectors.groupingBy(Part::path, TreeMap::new, Collectors.toList()))
        .forEach(
            (path, parts) ->
                logger.warn(
                    "{}: missing, as {} allows; no answer over {} is complete",
                    path,
                    KEY,
                    hours(parts)));
  }

  /** Describes the hours of parts for messages. */
  private static String hours(List<Part> parts) {
    TreeSet<Hour> hours =
        parts.stream().map(part -> part.of().hour()).collect(Collectors.toCollection(TreeSet::new));
    return hours.size() == 1
        ? hours.first().toString()
        : "%s hours from %s to %s".formatted(hours.size(), hours.first(), hours.last());
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
    Map<String, List<String>> byFolder = new TreeMap<>();
    for (String path : unaccepted) {
      byFolder.computeIfAbsent(path.split("/", -1)[0], any -> new ArrayList<>()).add(path);
    }
    byFolder.forEach(
        (folder, paths) -> proposed.addAll(paths.size() > FILES_MAX ? List.of(folder) : paths));
    return proposed;
  }

  private static String named(List<String> paths) {
    String text = String.join(", ", paths.subList(0, Math.min(NAMED_MAX, paths.size())));
    return paths.size() > NAMED_MAX ? text + " and others" : text;
  }

  /** Returns the numbers of the missing files that have pages of an hour and class. */
  public Set<Long> files(ClassHour of) {
    return byHour.getOrDefault(of.hour(), List.of()).stream()
        .filter(part -> part.of().equals(of))
        .map(Part::file)
        .collect(Collectors.toSet());
  }

  /** Returns the numbers of all missing page files. */
  public Set<Long> files() {
    return byHour.values().stream()
        .flatMap(List::stream)
        .map(Part::file)
        .collect(Collectors.toSet());
  }

  public boolean isOf(Hour hour) {
    return byHour.containsKey(hour);
  }

  public void forget(ClassHour of) {
    byHour.computeIfPresent(
        of.hour(),
        (any, parts) -> {
          List<Part> left = new CopyOnWriteArrayList<>(parts);
          left.removeIf(part -> part.of().equals(of));
          return left.isEmpty() ? null : left;
        });
  }

  /** The number of missing parts. */
  public int count() {
    long paths = byHour.values().stream().flatMap(List::stream).map(Part::path).distinct().count();
    return everywhere.size() + (int) paths;
  }

  /**
   * Names the parts that are missing, or may be, in the hours {@code [from, to]}.
   *
   * @param lost the pages of these hours that repairs took out of use
   */
  public List<String> of(Hour from, Hour to, List<LostPage> lost) {
    if (everywhere.isEmpty() && byHour.isEmpty() && lost.isEmpty() || from.compareTo(to) > 0) {
      return List.of();
    }
    TreeSet<String> paths = new TreeSet<>(everywhere);
    lost.forEach(page -> paths.add(page.describe() + ", damaged"));
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
