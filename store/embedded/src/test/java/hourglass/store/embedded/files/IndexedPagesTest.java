package hourglass.store.embedded.files;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.ByteSearch;
import hourglass.bytes.Spans;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import hourglass.store.TextFilter;
import hourglass.store.embedded.Chance;
import hourglass.store.embedded.FastTempDir;
import hourglass.store.embedded.NumberedColumns;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.pages.WordList;
import hourglass.store.rows.ValueIndex;
import hourglass.store.rows.ValueIndexWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages that are found by one index. */
class IndexedPagesTest {
  private static final RowKey ROW = new RowKey(Hour.parse("2026-11-20T08"), "order", 0);
  private static final int COLUMNS = 30_000;

  private final Random random = Chance.random("IndexedPagesTest");
  private PageFiles pages;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void write() throws IOException {
    pages = PagesOnDisk.load(temp, ROW.hour(), Set.of());
    Files.createDirectories(pages.dir());
    pages.commit(new PageWriter(1).put(pages, ROW, columns(COLUMNS), 1), List.of());
  }

  /** Each of a user of its own; the index holds no arrays, but they make the pages large enough. */
  private Columns columns(int count) {
    return columns(count, "u");
  }

  private Columns columns(int count, String user) {
    ColumnsBuilder columns = new ColumnsBuilder(count, 32 * count);
    for (int n = 0; n < count; n++) {
      TimeUuid name = NumberedColumns.name(ROW.hour(), n);
      byte[] payload =
          "{\"user\":\"%s%d\",\"shop\":\"s%d\",\"trace\":[%d]}"
              .formatted(user, n, n % 3, random.nextLong())
              .getBytes(UTF_8);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return columns.build();
  }

  private void reopen() throws IOException {
    pages.close();
    pages = PagesOnDisk.load(temp, ROW.hour(), Set.of());
  }

  @AfterEach
  void close() throws IOException {
    pages.close();
  }

  /** A filter on the value of a key. */
  private record Has(String key, String value) implements FieldFilter {
    @Override
    public @Nullable Spans find(byte[] payload, int from, int to) {
      return null;
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      return true;
    }

    @Override
    public List<List<FieldValue>> required() {
      return List.of(List.of(FieldValue.of(key, value)));
    }
  }

  private List<PageMeta> sorted() {
    return pages.pages().stream().sorted(Comparator.comparing(PageMeta::first)).toList();
  }

  /** The pages in order that may have a value. */
  private List<Integer> having(String key, String value) {
    return having(sorted(), key, value);
  }

  private List<Integer> having(List<PageMeta> all, String key, String value) {
    FieldFilter filter = new Has(key, value);
    List<Integer> having = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      boolean may = pages.mayMatch(all.get(i), filter);
      assertThat(pages.mayMatchByIndex(all.get(i), filter)).isEqualTo(may);
      if (may) {
        having.add(i);
      }
    }
    return having;
  }

  private void check() {
    int first = 0;
    List<PageMeta> all = sorted();
    for (int page = 0; page < all.size(); page++) {
      int last = first + all.get(page).count() - 1;
      assertThat(having("user", "u" + first)).contains(page).hasSizeLessThan(all.size());
      assertThat(having("user", "u" + last)).contains(page).hasSizeLessThan(all.size());
      first = last + 1;
    }
    assertThat(having("shop", "s2")).hasSize(all.size());
    assertThat(having("shop", "s3").size() + having("user", "s1").size())
        .isLessThan(2 * all.size());
  }

  @Test
  void pagesAreFoundByTheirValues() throws IOException {
    assertThat(pages.pages().size()).isGreaterThan(3);
    assertThat(pages.indexes()).hasSize(1);
    check();
    reopen();
    check();
  }

  /** A word of the first event, and one of the last, are in one page each. */
  @Test
  void pagesAreFoundByPartsOfTheirWords() throws IOException {
    ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, 100 * COLUMNS);
    for (int n = 0; n < COLUMNS; n++) {
      String fruit = n == 0 ? "grapefruit" : n == COLUMNS - 1 ? "tangerine" : "fruit";
      TimeUuid name = NumberedColumns.name(ROW.hour(), n);
      byte[] payload =
          "{\"m\":\"%s of order%d\",\"trace\":\"%016x\"}"
              .formatted(fruit, n % 300, random.nextLong())
              .getBytes(UTF_8);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    List<PageMeta> made = commit(new PageWriter(2), columns.build()).pages();
    assertThat(made).hasSizeGreaterThan(2);
    reopen();
    assertThat(with(made, "apefru")).containsExactly(0);
    assertThat(with(made, "ANGERIN")).containsExactly(made.size() - 1);
    assertThat(with(made, "pefruit of ord")).containsExactly(0);
    assertThat(with(made, "xylophon")).isEmpty();
    assertThat(with(made, "uit of order1")).hasSize(made.size());
  }

  /** The pages that may have a text in any case. */
  private List<Integer> with(List<PageMeta> all, String text) {
    FieldFilter filter = new TextFilter(new ByteSearch(text.getBytes(UTF_8), true));
    return IntStream.range(0, all.size())
        .filter(i -> pages.mayMatch(all.get(i), filter))
        .boxed()
        .toList();
  }

  @Test
  void aRowOfOnePageHasNoIndex() throws IOException {
    PageMeta page = commit(new PageWriter(2), columns(1_000)).pages().get(0);
    assertThat(pages.indexes()).hasSize(1);
    assertThat(pages.mayMatchByIndex(page, new Has("user", "u1000"))).isTrue();
    assertThat(pages.mayMatch(page, new Has("user", "u999"))).isTrue();
    long found =
        random
            .ints(100, 1_000, 1 << 30)
            .filter(n -> pages.mayMatch(page, new Has("user", "u" + n)))
            .count();
    assertThat(found).isLessThan(20);
  }

  @Test
  void rowsWrittenTogetherShareAnIndex() throws IOException {
    PageWriter.PageSeries rows = new PageWriter(2).begin(pages, true);
    List<PageMeta> made = new ArrayList<>();
    for (int shard = 0; shard < 20; shard++) {
      made.addAll(
          rows.put(
              new RowKey(ROW.hour(), "type" + shard, shard), 1, columns(300, "u" + shard + "-")));
    }
    pages.commit(rows.end(), sorted());
    assertThat(made).hasSize(20);
    assertThat(pages.indexes()).hasSize(1);
    assertThat(having(made, "user", "u7-299")).contains(7).hasSizeLessThan(5);
    reopen();
    assertThat(having(made, "user", "u19-0")).contains(19).hasSizeLessThan(5);
    assertThat(having(made, "shop", "s2")).hasSize(20);
    pages.commit(new WrittenPages(), made.subList(0, 19));
    assertThat(pages.indexes()).hasSize(1);
    assertThat(having("user", "u19-299")).containsExactly(0);
    pages.commit(new WrittenPages(), made.subList(19, 20));
    assertThat(pages.indexes()).isEmpty();
  }

  @Test
  void pagesWithoutValuesAreInNoIndex() throws IOException {
    PageWriter.PageSeries rows = new PageWriter(2).begin(pages, true);
    for (int shard = 1; shard <= 300; shard++) {
      rows.put(new RowKey(ROW.hour(), "few", shard), 1, columns(3, "u" + shard + "-"));
    }
    List<PageMeta> indexed = rows.put(ROW, 1, columns(1_000, "u0-"));
    WrittenPages written = rows.end();
    assertThat(written.indexes()).hasSize(1);
    assertThat(written.indexes().get(0).pages()).containsExactly(indexed.get(0).number());
    pages.commit(written, sorted());
    assertThat(having("user", "u0-999")).hasSize(301);
    assertThat(having("user", "absent").size()).isBetween(300, 301);
  }

  @Test
  void rowsMayShareSeveralIndexes() throws IOException {
    PageWriter.PageSeries rows = new PageWriter(2).begin(pages, true);
    List<PageMeta> made = new ArrayList<>();
    for (int shard = 1; shard <= 130; shard++) {
      made.addAll(rows.put(new RowKey(ROW.hour(), "one", shard), 1, columns(20, shard + "-")));
      rows.put(new RowKey(ROW.hour(), "few", shard), 1, columns(3, "few-"));
    }
    made.addAll(rows.put(ROW, 1, columns(COLUMNS)));
    pages.commit(rows.end(), sorted());
    assertThat(pages.indexes()).hasSize(2);
    assertThat(pages.indexes().stream().mapToInt(index -> index.pages().size()).sum())
        .isEqualTo(made.size());
    reopen();
    for (int page : new int[] {0, 127, 128, 129}) {
      String user = page + 1 + "-19";
      assertThat(having(made, "user", user)).contains(page).hasSizeLessThan(made.size() / 4);
    }
    assertThat(having(made, "user", "u" + (COLUMNS - 1))).contains(made.size() - 1);
  }

  @Test
  void anIndexIsCopiedWithItsLastPages() throws IOException {
    List<PageMeta> all = sorted();
    pages.commit(new WrittenPages(), all.subList(0, all.size() - 1));
    rewrite();
    reopen();
    assertThat(pages.indexes()).hasSize(1);
    assertThat(having("user", "u" + (COLUMNS - 1))).containsExactly(0);
    assertThat(IntStream.range(0, 100).filter(n -> !having("user", "absent" + n).isEmpty()))
        .hasSizeLessThan(20);
  }

  @Test
  void anIndexOfOtherPagesIsRefused() throws IOException {
    PageWriter.PageSeries row = new PageWriter(2).begin(pages, false);
    List<PageMeta> made = row.put(ROW, 1, columns(COLUMNS));
    WrittenPages written = row.end();
    ValueIndexWriter values = new ValueIndexWriter();
    values.clear();
    values.accept(new long[0], 0, new WordList());
    List<Long> numbers = made.stream().map(PageMeta::number).toList();
    written.add(pages.putIndex(ROW, 1_000_000, values.toBytes(), numbers));
    pages.commit(written, sorted());
    assertThatThrownBy(() -> having("user", "u1"))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("index: of 1 pages, not of the " + made.size() + " listed");
  }

  @Test
  void concurrentThreadsGetTheAnswersOfTheirFilters() {
    List<PageMeta> all = sorted();
    List<List<Integer>> expected =
        IntStream.range(0, 12).mapToObj(n -> having(all, "user", "u" + n * 2_500)).toList();
    int wrong =
        IntStream.range(0, 2_000)
            .parallel()
            .map(
                n -> having(all, "user", "u" + n % 12 * 2_500).equals(expected.get(n % 12)) ? 0 : 1)
            .sum();
    assertThat(wrong).isZero();
  }

  private WrittenPages commit(PageWriter writer, Columns columns) throws IOException {
    WrittenPages written = writer.put(pages, ROW, columns, 1);
    pages.commit(written, List.of());
    return written;
  }

  @Test
  void anIndexIsDeletedWithItsLastPage() throws IOException {
    List<PageMeta> all = sorted();
    long bytes = pages.liveBytes();
    pages.commit(new WrittenPages(), all.subList(0, all.size() - 1));
    assertThat(pages.indexes()).hasSize(1);
    assertThat(having("user", "u" + (COLUMNS - 1))).containsExactly(0);
    pages.commit(new WrittenPages(), all.subList(all.size() - 1, all.size()));
    assertThat(pages.indexes()).isEmpty();
    assertThat(pages.liveBytes()).isZero();
    assertThat(pages.deadBytes()).isEqualTo(bytes);
    reopen();
    assertThat(pages.indexes()).isEmpty();
    assertThat(pages.deadBytes()).isEqualTo(bytes);
  }

  @Test
  void indexesAreCopiedWithTheirPages() throws IOException {
    rewrite();
    assertThat(pages.indexes()).hasSize(1);
    check();
    reopen();
    check();
  }

  /** Copies all pages to another map. */
  private void rewrite() throws IOException {
    PageWriter writer = new PageWriter(2);
    WrittenPages written = new WrittenPages();
    Map<PageMeta, PageMeta> copies = new HashMap<>();
    pages.nextGeneration();
    List<PageMeta> old = sorted();
    for (PageMeta page : old) {
      PageMeta copy = writer.putAgain(pages, page, pages.readBytes(page));
      copies.put(page, copy);
      written.add(copy);
    }
    writer.putIndexesAgain(pages, copies, written);
    pages.commit(written, old);
  }

  @Test
  void pagesAreReadIfTheMapOfTheirIndexIsMissing() throws IOException {
    PageWriter writer = new PageWriter(2);
    PageWriter.PageSeries row = writer.begin(pages, true);
    row.put(ROW, 1, columns(COLUMNS));
    pages.nextGeneration();
    pages.commit(row.end(), sorted());
    IndexMeta index = pages.indexes().iterator().next();
    assertThat(index.generation()).isEqualTo(1);
    pages.close();
    pages = PagesOnDisk.load(temp, ROW.hour(), Set.of(1));
    assertThat(pages.indexes()).isEmpty();
    assertThat(having("user", "absent")).hasSize(sorted().size());
  }

  @Test
  void aDamagedIndexIsNamed() throws IOException {
    IndexMeta index = pages.indexes().iterator().next();
    pages.close();
    Path map = StoreFiles.pages(pages.dir(), 0);
    try (FileChannel channel =
        FileChannel.open(map, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer start = channel.map(MapMode.READ_WRITE, 0, 16 << 20).order(LITTLE_ENDIAN);
      int at = find(start, index);
      for (int i = 0; i < ValueIndex.HEADER_BYTES; i++) {
        byte good = start.get(at + i);
        start.put(at + i, (byte) (good ^ 1 << random.nextInt(Byte.SIZE)));
        assertIsNamed(index, "not the one listed");
        start.put(at + i, good);
      }
      start.put(
          at + ValueIndex.HEADER_BYTES, new byte[index.storedBytes() - ValueIndex.HEADER_BYTES]);
      assertIsNamed(index, "does not match its checksum");
    }
  }

  private void assertIsNamed(IndexMeta index, String fault) throws IOException {
    pages = PagesOnDisk.load(temp, ROW.hour(), Set.of());
    assertThatThrownBy(() -> having("user", "u1"))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("pages.0: index " + index.number() + ", listed under " + ROW)
        .hasMessageContaining(fault)
        .hasMessageContaining("restore the file");
    pages.close();
  }

  private static int find(ByteBuffer map, IndexMeta index) {
    int at = 0;
    while (map.getInt(at) != ValueIndex.MAGIC
        || map.getInt(at + ValueIndex.CHECKSUM_AT) != index.checksum()) {
      at++;
    }
    return at;
  }
}
