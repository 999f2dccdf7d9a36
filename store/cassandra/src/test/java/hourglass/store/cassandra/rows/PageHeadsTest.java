package hourglass.store.cassandra.rows;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.store.ColumnRange;
import hourglass.store.rows.PartIndex;
import hourglass.store.rows.Section;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageHeadsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final long START = HOUR.startTicks();

  /** Pages of a minute each. */
  private static List<PagePart> pages(int count) {
    List<PagePart> pages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[][] payloads = {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
      long ticks = START + i * Ticks.PER_MINUTE;
      pages.add(
          new PagePart(
              PackCodec.encode(StoredPacks.columns(ticks, Ticks.PER_SECOND, payloads)).get(0)));
    }
    return pages;
  }

  /** The number of pages in each section of a range, in seconds from the start of the hour. */
  private static List<Integer> sections(int pages, int from, int to) {
    ColumnRange range =
        ColumnRange.ofTicks(START + from * Ticks.PER_SECOND, START + to * Ticks.PER_SECOND);
    PageHeads heads = new PageHeads(PartIndex.of(pages(pages)), range);
    List<Integer> sizes = new ArrayList<>();
    ColumnRange last = new ColumnRange(range.from(), range.from());
    for (boolean isLast = false; !isLast; ) {
      Section section = heads.next().toCompletableFuture().join();
      assertThat(section.range().from()).as("no gap").isEqualTo(last.to());
      last = section.range();
      isLast = section.isLast();
      sizes.add(section.parts().size());
    }
    assertThat(last.to()).isEqualTo(range.to());
    return sizes;
  }

  @Test
  void partlyCoveredPagesAreSeparateSections() {
    assertThat(sections(5, 0, 3600)).containsExactly(5);
    assertThat(sections(5, 3, 3600)).containsExactly(1, 4);
    assertThat(sections(5, 0, 245)).containsExactly(4, 1);
    assertThat(sections(5, 3, 245)).containsExactly(1, 3, 1);
    assertThat(sections(2, 3, 65)).containsExactly(1, 1);
    assertThat(sections(1, 3, 5)).containsExactly(1);
    assertThat(sections(5, 30, 200)).as("between pages").containsExactly(3);
    assertThat(sections(0, 0, 3600)).containsExactly(0);
  }
}
