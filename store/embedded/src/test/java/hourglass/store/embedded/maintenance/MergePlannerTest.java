package hourglass.store.embedded.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.FastTempDir;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileRange;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.PageFileRecord;
import hourglass.store.embedded.files.PageSection;
import hourglass.store.embedded.files.PageSection.Kind;
import hourglass.store.embedded.files.StoreCatalogue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merges are of bounded size, and copy large sections only if that frees a file. */
class MergePlannerTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final ClassHour OF = new ClassHour(StoreFiles.KEEP, HOUR);
  private static final ClassHour NEXT = new ClassHour(StoreFiles.KEEP, HOUR.next());
  private static final long MIB = 1L << 20;

  private final List<PageFileRecord> files = new ArrayList<>();
  private StoreCatalogue catalogue;
  private MergePlanner planner;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void create() {
    catalogue = new StoreCatalogue(new SystemDisk(), new StoreFiles(temp));
    planner = new MergePlanner(catalogue);
  }

  private static PageSection section(ClassHour of, Kind kind, long bytes, long deadBytes) {
    return new PageSection(of, kind, new FileRange(0, 0), 20, 100, 7, bytes, deadBytes, Map.of());
  }

  /** Adds the next file. Their numbers are 1, 2, and so on. */
  private void file(PageSection... sections) {
    files.add(new PageFileRecord(files.size() + 1, 1, 1, 0, 0, List.of(sections), Map.of()));
  }

  private static SectionMerge merge(long from, long to, long bytes) {
    return new SectionMerge(OF, FileRange.closed(from, to), bytes);
  }

  private List<SectionMerge> sealed() {
    catalogue.takeAll(files, 1);
    return planner.sealed(List.of(OF));
  }

  @Test
  void largeSectionsWithFilesOfTheirOwnStay() {
    file(section(OF, Kind.ADDED, 40 * MIB, 0));
    file(section(OF, Kind.ADDED, 40 * MIB, 0), section(NEXT, Kind.ADDED, 1, 0));
    file(section(OF, Kind.ADDED, 40 * MIB, 0));
    file(section(OF, Kind.ADDED, 40 * MIB, 21 * MIB));
    file(section(OF, Kind.ADDED, 100, 0));
    assertThat(sealed()).containsExactly(merge(4, 5, 19 * MIB + 100), merge(2, 2, 40 * MIB));
  }

  @Test
  void anHourOfManySectionsIsMergedInParts() {
    for (int i = 0; i < 100; i++) {
      file(section(OF, Kind.ADDED, 10 * MIB, 0));
    }
    List<SectionMerge> merges = sealed();
    assertThat(merges).hasSize(17).allMatch(each -> each.bytes() <= 64 * MIB);
    assertThat(merges.stream().flatMapToLong(each -> numbers(each.files())).sorted())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
  }

  private static LongStream numbers(FileRange range) {
    return LongStream.range(range.from(), range.to());
  }

  @Test
  void aMergedHourIsLeftAsItIs() {
    file(section(OF, Kind.MERGED, 60 * MIB, 0));
    file(section(OF, Kind.MERGED, 30 * MIB, 0));
    assertThat(sealed()).isEmpty();
  }

  @Test
  void aLateEventIsMergedWithoutTheLargeSectionBeforeIt() {
    file(section(OF, Kind.MERGED, 60 * MIB, 0));
    file(section(OF, Kind.ADDED, 100, 0));
    assertThat(sealed()).containsExactly(merge(2, 2, 100));
  }

  @Test
  void largeSectionsAreNotMergedForTheirNumber() {
    for (int i = 0; i < 20; i++) {
      file(section(OF, Kind.ADDED, 40 * MIB, 0));
    }
    catalogue.takeAll(files, 1);
    assertThat(planner.small(OF)).isNull();
  }

  @Test
  void sectionsAreMergedUntilTheyAreLarge() {
    for (int i = 0; i < 20; i++) {
      file(section(OF, Kind.ADDED, 12 * MIB, 0));
    }
    catalogue.takeAll(files, 1);
    assertThat(planner.small(OF)).isEqualTo(merge(16, 20, 60 * MIB));
  }

  @Test
  void aRewriteTakesAlongSmallNewerSectionsOnly() {
    file(section(OF, Kind.ADDED, 100, 0), section(NEXT, Kind.ADDED, 100, 0));
    file(section(OF, Kind.ADDED, 100, 0));
    file(section(OF, Kind.ADDED, 40 * MIB, 0));
    file(section(OF, Kind.ADDED, 100, 0));
    catalogue.takeAll(files, 1);
    FileUse first = catalogue.files().get(0);
    assertThat(planner.emptying(first))
        .containsExactlyInAnyOrder(
            merge(1, 2, 200), new SectionMerge(NEXT, FileRange.closed(1, 1), 100));
  }
}
