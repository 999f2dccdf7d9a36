package hourglass.store.embedded.files;

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
import hourglass.store.pages.hashes.WordList;
import hourglass.store.rows.ValueIndex;
import hourglass.store.rows.ValueIndexWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
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
  private PageFiles files;
  private HourPages pages;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void write() throws IOException {
    files = PagesOnDisk.open(temp);
    pages = PagesOnDisk.load(files, ROW.hour());
    commit(new PageWriter(1), true, series -> series.put(ROW, 1, columns(COLUMNS)), List.of());
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
    reopen(Set.of());
  }

  private void reopen(Set<Long> filesMissing) throws IOException {
    files.close();
    files = PagesOnDisk.open(temp);
    pages = PagesOnDisk.load(files, StoreFiles.KEEP, ROW.hour(), filesMissing);
  }

  private interface Pages {
    List<PageMeta> put(PageWriter.PageSeries series) throws IOException;
  }

  /** Writes pages to a file, and removes others. */
  private List<PageMeta> commit(
      PageWriter writer, boolean indexed, Pages made, Collection<PageMeta> removed)
      throws IOException {
    try (PageCommit commit = files.beginCommit()) {
      PageWriter.PageSeries series = writer.begin(commit.section(pages), indexed);
      List<PageMeta> put = made.put(series);
      series.end();
      commit.section(pages).remove(removed);
      commit.commit();
      return put;
    }
  }

  private void remove(List<PageMeta> removed) throws IOException {
    PagesOnDisk.remove(files, pages, removed);
  }

  @AfterEach
  void close() {
    files.close();
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
    List<PageMeta> made =
        commit(new PageWriter(2), true, row -> row.put(ROW, 1, columns.build()), List.of());
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
    PageMeta page =
        commit(new PageWriter(2), false, row -> row.put(ROW, 1, columns(1_000)), List.of()).get(0);
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
    List<PageMeta> made = new ArrayList<>();
    Pages rows =
        series -> {
          for (int shard = 0; shard < 20; shard++) {
            RowKey row = new RowKey(ROW.hour(), "type" + shard, shard);
            made.addAll(series.put(row, 1, columns(300, "u" + shard + "-")));
          }
          return made;
        };
    commit(new PageWriter(2), true, rows, sorted());
    assertThat(made).hasSize(20);
    assertThat(pages.indexes()).hasSize(1);
    assertThat(having(made, "user", "u7-299")).contains(7).hasSizeLessThan(5);
    reopen();
    assertThat(having(made, "user", "u19-0")).contains(19).hasSizeLessThan(5);
    assertThat(having(made, "shop", "s2")).hasSize(20);
    remove(made.subList(0, 19));
    assertThat(pages.indexes()).hasSize(1);
    assertThat(having("user", "u19-299")).containsExactly(0);
    remove(made.subList(19, 20));
    assertThat(pages.indexes()).isEmpty();
  }

  @Test
  void pagesWithoutValuesAreInNoIndex() throws IOException {
    Pages rows =
        series -> {
          for (int shard = 1; shard <= 300; shard++) {
            series.put(new RowKey(ROW.hour(), "few", shard), 1, columns(3, "u" + shard + "-"));
          }
          return series.put(ROW, 1, columns(1_000, "u0-"));
        };
    List<PageMeta> indexed = commit(new PageWriter(2), true, rows, sorted());
    assertThat(pages.indexes()).hasSize(1);
    assertThat(pages.indexes().get(0).pages()).containsExactly(indexed.get(0).number());
    assertThat(having("user", "u0-999")).hasSize(301);
    assertThat(having("user", "absent").size()).isBetween(300, 301);
  }

  @Test
  void rowsMayShareSeveralIndexes() throws IOException {
    List<PageMeta> made = new ArrayList<>();
    Pages rows =
        series -> {
          for (int shard = 1; shard <= 130; shard++) {
            RowKey one = new RowKey(ROW.hour(), "one", shard);
            made.addAll(series.put(one, 1, columns(20, shard + "-")));
            series.put(new RowKey(ROW.hour(), "few", shard), 1, columns(3, "few-"));
          }
          made.addAll(series.put(ROW, 1, columns(COLUMNS)));
          return made;
        };
    commit(new PageWriter(2), true, rows, sorted());
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
    remove(all.subList(0, all.size() - 1));
    rewrite();
    reopen();
    assertThat(pages.indexes()).hasSize(1);
    assertThat(having("user", "u" + (COLUMNS - 1))).containsExactly(0);
    assertThat(IntStream.range(0, 100).filter(n -> !having("user", "absent" + n).isEmpty()))
        .hasSizeLessThan(20);
  }

  @Test
  void anIndexOfOtherPagesIsRefused() throws IOException {
    ValueIndexWriter values = new ValueIndexWriter();
    values.clear();
    values.accept(new long[0], 0, new WordList());
    List<PageMeta> made;
    try (PageCommit commit = files.beginCommit()) {
      NewSection section = commit.section(pages);
      made = new PageWriter(2).begin(section, false).put(ROW, 1, columns(COLUMNS));
      List<Long> numbers = made.stream().map(PageMeta::number).toList();
      section.putIndex(ROW, 1_000_000, values.toBytes(), numbers);
      section.remove(sorted());
      commit.commit();
    }
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

  @Test
  void anIndexIsDeletedWithItsLastPage() throws IOException {
    List<PageMeta> all = sorted();
    long indexBytes = pages.indexes().get(0).storedBytes();
    long pageBytes = all.stream().mapToLong(PageMeta::storedBytes).sum();
    remove(all.subList(0, all.size() - 1));
    assertThat(pages.indexes()).hasSize(1);
    assertThat(having("user", "u" + (COLUMNS - 1))).containsExactly(0);
    remove(all.subList(all.size() - 1, all.size()));
    assertThat(pages.indexes()).isEmpty();
    assertThat(deadBytes()).isEqualTo(pageBytes + indexBytes);
    reopen();
    assertThat(pages.indexes()).isEmpty();
    assertThat(deadBytes()).isEqualTo(pageBytes + indexBytes);
  }

  private long deadBytes() {
    return files.catalogue().files().stream().mapToLong(FileUse::deadBytes).sum();
  }

  @Test
  void indexesAreCopiedWithTheirPages() throws IOException {
    rewrite();
    assertThat(pages.indexes()).hasSize(1);
    check();
    reopen();
    check();
  }

  /** Merges all sections into another file. */
  private void rewrite() throws IOException {
    try (PageCommit commit = files.beginCommit()) {
      SectionCopy.of(pages, PagesOnDisk.ALL, (row, made) -> true).writeTo(commit);
      commit.commit();
    }
    files.deleteUnused();
    assertThat(PageFiles.numbers(new StoreFiles(temp))).hasSize(1);
  }

  @Test
  void aDamagedIndexIsNamed() throws IOException {
    IndexMeta index = pages.indexes().iterator().next();
    Path file = new StoreFiles(temp).pages(1);
    byte[] good = Files.readAllBytes(file);
    int at = (int) index.position();
    for (int i = 0; i < ValueIndex.HEADER_BYTES; i++) {
      byte[] damaged = good.clone();
      damaged[at + i] ^= 1 << random.nextInt(Byte.SIZE);
      Files.write(file, damaged);
      assertIsNamed(index, "not the one listed");
    }
    byte[] damaged = good.clone();
    Arrays.fill(damaged, at + ValueIndex.HEADER_BYTES, at + index.storedBytes(), (byte) 0);
    Files.write(file, damaged);
    assertIsNamed(index, "does not match its checksum");
  }

  private void assertIsNamed(IndexMeta index, String fault) throws IOException {
    reopen();
    assertThatThrownBy(() -> having("user", "u1"))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("1.pages: index " + index.number() + ", listed under " + ROW)
        .hasMessageContaining(fault)
        .hasMessageContaining("restore the file");
  }
}
