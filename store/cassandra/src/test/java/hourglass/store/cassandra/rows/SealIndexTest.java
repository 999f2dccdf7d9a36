package hourglass.store.cassandra.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bytes.ByteSearch;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.TextFilter;
import hourglass.store.pages.PageCodec;
import hourglass.store.rows.PartIndex;
import hourglass.store.rows.ValueIndexWriter;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of a sealed row, found by the indexes in their heads. */
class SealIndexTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  /** A page has this many columns of {@link #message}, since their payloads have 512 bytes each. */
  private static final int PER_PAGE = 512;

  private final Random random = Seed.random(this);

  /** A payload of 512 bytes: a text, words such as {@code wordaingb}, and an id of its own. */
  private String message(int n, String text) {
    StringBuilder json = new StringBuilder("{\"n\":" + n + ",\"msg\":\"" + text);
    while (json.length() < 350) {
      json.append(" word").append((char) ('a' + random.nextInt(26))).append("ing");
      json.append((char) ('a' + random.nextInt(26)));
    }
    byte[] id = new byte[80];
    random.nextBytes(id);
    json.append("\",\"id\":\"").append(HexFormat.of().formatHex(id));
    return json.substring(0, 510) + "\"}";
  }

  private static List<Pack> series(int count, IntFunction<String> payloads) {
    List<Pack> pages = new ArrayList<>();
    try (PageSeries series = new PageSeries(pages::add)) {
      for (int from = 0; from < count; from += 1_000) {
        ColumnsBuilder columns = new ColumnsBuilder(1_000, 0);
        for (int i = from; i < Math.min(count, from + 1_000); i++) {
          byte[] payload = payloads.apply(i).getBytes(UTF_8);
          columns.add(HOUR.startTicks() + i * 100L, i, payload, 0, payload.length);
        }
        series.add(columns.build());
      }
      series.end();
    }
    return pages;
  }

  private static PartIndex<PagePart> connected(List<Pack> pages) {
    return SealIndex.connect(PartIndex.of(pages.stream().map(PagePart::new).toList()));
  }

  private static FieldFilter contains(String text) {
    return new TextFilter(new ByteSearch(text.getBytes(UTF_8), false));
  }

  /** The numbers of the pages that may have a column with this text. */
  private static List<Integer> having(String text, PartIndex<PagePart> pages) {
    FieldFilter filter = contains(text);
    return IntStream.range(0, pages.parts().size())
        .filter(i -> pages.parts().get(i).mayMatchUnread(filter))
        .boxed()
        .toList();
  }

  private static boolean has(PagePart page, String text) {
    Columns columns = page.load(Projection.COLUMNS);
    return IntStream.range(0, columns.size())
        .anyMatch(i -> new String(columns.payload(i), UTF_8).contains(text));
  }

  @Test
  void aPartOfAWordIsInThePageThatHasIt() {
    int pages = SealIndex.PAGES_MAX + 10;
    List<Pack> packs =
        series(
            pages * PER_PAGE,
            i -> message(i, i == 5 * PER_PAGE + 3 ? "connection refused" : "ready"));
    PartIndex<PagePart> indexed = connected(packs);
    assertThat(indexed.parts()).hasSize(pages);
    assertThat(having("efuse", indexed)).containsExactly(5);
    assertThat(having("nection refu", indexed)).containsExactly(5);
    assertThat(having("refusal", indexed)).isEmpty();
    assertThat(having("wordaing", indexed)).hasSize(pages);
  }

  @Test
  void eachIndexIsInTheHeadOfItsLastPage() {
    int pages = SealIndex.PAGES_MAX + 10;
    List<Pack> packs = series(pages * PER_PAGE, i -> message(i, "ready"));
    List<Integer> ends =
        IntStream.range(0, pages)
            .filter(i -> new PagePart(packs.get(i)).indexBytes().length > 0)
            .boxed()
            .toList();
    assertThat(ends).containsExactly(SealIndex.PAGES_MAX - 1, pages - 1);
  }

  /** The payloads of one page are no JSON, so their values are in no index. */
  @Test
  void aPageWithoutValuesEndsAnIndex() {
    int odd = 3;
    List<Pack> packs =
        series(
            7 * PER_PAGE,
            i -> {
              String json = message(i, i == 6 * PER_PAGE ? "connection refused" : "ready");
              return i / PER_PAGE == odd ? "[" + json.substring(1, 511) + "]" : json;
            });
    PartIndex<PagePart> indexed = connected(packs);
    assertThat(indexed.parts()).hasSize(7);
    assertThat(having("efuse", indexed)).containsExactly(odd, 6);
    assertThat(indexed.parts().get(odd - 1).indexBytes()).isNotEmpty();
    assertThat(indexed.parts().get(odd).indexBytes()).isEmpty();
  }

  @Test
  void aRowOfOnePageHasAnIndexToo() {
    PartIndex<PagePart> indexed = connected(series(100, i -> message(i, "ready")));
    assertThat(having("ead", indexed)).hasSize(1);
    assertThat(having("bsen", indexed)).isEmpty();
  }

  /** Texts are cut from payloads, some with one letter changed. */
  @Test
  void noPageWithATextIsLeftOut() {
    int pages = 12;
    List<Pack> packs =
        series(pages * PER_PAGE, i -> message(i, "event " + i + " of \\u00e9 and ü"));
    PartIndex<PagePart> indexed = connected(packs);
    int excluded = 0;
    int rounds = Tier.length(200, 500, 5_000);
    for (int n = 0; n < rounds; n++) {
      Columns columns = indexed.parts().get(random.nextInt(pages)).load(Projection.COLUMNS);
      String payload = new String(columns.payload(random.nextInt(columns.size())), UTF_8);
      int from = random.nextInt(payload.length());
      int to = Math.min(payload.length(), from + 1 + random.nextInt(24));
      String text = payload.substring(from, to);
      if (random.nextBoolean()) {
        text = text.replace(text.charAt(0), (char) ('a' + random.nextInt(26)));
      }
      List<Integer> kept = having(text, indexed);
      excluded += pages - kept.size();
      for (int page = 0; page < pages; page++) {
        if (!kept.contains(page)) {
          assertThat(has(indexed.parts().get(page), text))
              .as("%s in page %s", text, page)
              .isFalse();
        }
      }
    }
    assertThat(excluded).isGreaterThan(rounds);
  }

  private List<Pack> withDamage(List<Pack> pages, int page, byte[] head) {
    List<Pack> damaged = new ArrayList<>(pages);
    Pack good = pages.get(page);
    damaged.set(page, new Pack(good.first(), good.digest(), ByteBuffer.wrap(head), good.body()));
    return damaged;
  }

  private static byte[] head(Pack page) {
    return Arrays.copyOf(page.head().array(), page.head().limit());
  }

  /** A filter that needs the index finds every damage that could change its answer. */
  @Test
  void damageIsDetectedOrChangesNothing() {
    List<Pack> packs =
        series(
            3 * PER_PAGE,
            i -> message(i, i / PER_PAGE == 1 ? "connection refused" : "ready to go"));
    List<Integer> expected = having("ion refused word", connected(packs));
    assertThat(expected).containsExactly(1);
    byte[] head = head(packs.get(2));
    int from = head.length - new PagePart(packs.get(2)).indexBytes().length;
    int detected = 0;
    for (int n = 0; n < Tier.length(300, 1_000, 10_000); n++) {
      byte[] damaged = head.clone();
      int at = n < 200 ? from + n : from + random.nextInt(head.length - from);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      try {
        assertThat(having("ion refused word", connected(withDamage(packs, 2, damaged))))
            .as("damage at %s", at - from)
            .isEqualTo(expected);
      } catch (CorruptException e) {
        assertThat(e).hasMessageStartingWith("sealed page ").hasMessageContaining("index: ");
        detected++;
      }
    }
    assertThat(detected).isGreaterThan(32);
  }

  @ParameterizedTest
  @CsvSource({"1", "31", "40", "2000"})
  void aCutIndexIsDetected(int left) {
    List<Pack> packs = series(3 * PER_PAGE, i -> message(i, "ready"));
    byte[] head = head(packs.get(2));
    int from = head.length - new PagePart(packs.get(2)).indexBytes().length;
    List<Pack> damaged = withDamage(packs, 2, Arrays.copyOf(head, from + left));
    assertThatThrownBy(() -> having("refused", connected(damaged)))
        .isInstanceOf(CorruptException.class)
        .hasMessageStartingWith("sealed page ")
        .hasMessageContaining("index: ");
  }

  @Test
  void anIndexOfMorePagesThanThereAreIsDamage() {
    List<Pack> packs = series(3 * PER_PAGE, i -> message(i, "ready"));
    assertThatThrownBy(() -> having("refused", connected(packs.subList(1, 3))))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("index: of 3 pages, not up to 2");
  }

  /** Such as a search for a brace, which any page may have. */
  @Test
  void damageDoesNotMatterToAFilterWithoutWords() {
    List<Pack> packs = series(3 * PER_PAGE, i -> message(i, "ready"));
    byte[] head = head(packs.get(2));
    head[head.length - new PagePart(packs.get(2)).indexBytes().length] ^= 1;
    PartIndex<PagePart> damaged = connected(withDamage(packs, 2, head));
    assertThat(having("{", damaged)).hasSize(3);
    assertThatThrownBy(() -> having("refused", damaged)).isInstanceOf(CorruptException.class);
    assertThatThrownBy(damaged.parts().get(0)::checkIndex)
        .isInstanceOf(CorruptException.class)
        .hasMessageStartingWith("sealed page ");
    connected(packs).parts().forEach(PagePart::checkIndex);
  }

  /** As builds before had them. */
  @Test
  void pagesMayHaveFiltersInPlaceOfAnIndex() {
    try (PageCodec codec = new PageCodec()) {
      List<Pack> packs = new ArrayList<>();
      for (int page = 0; page < 3; page++) {
        byte[][] payloads = new byte[PER_PAGE][];
        int from = page * PER_PAGE;
        Arrays.setAll(
            payloads, i -> message(from + i, from == 0 ? "refused" : "ready").getBytes(UTF_8));
        long start = HOUR.startTicks() + from * 100L;
        packs.add(PackCodec.sealedPage(StoredPacks.columns(start, 100, payloads), codec, null));
      }
      PartIndex<PagePart> pages = connected(packs);
      assertThat(pages.parts()).allMatch(PagePart::isFiltered);
      FieldFilter word = TextFilter.ofWords("refused");
      assertThat(pages.parts().stream().map(page -> page.mayMatchUnread(word)).toList())
          .containsExactly(true, false, false);
      assertThat(having("efuse", pages)).as("no dictionary").hasSize(3);
    }
  }

  /** A sealer has one for each row, and the memory of zstd is outside the heap. */
  @Test
  void aClosedWriterHasFreedItsMemory() {
    try (PageCodec codec = new PageCodec()) {
      ValueIndexWriter writer = new ValueIndexWriter();
      byte[][] payloads = new byte[PER_PAGE][];
      Arrays.setAll(payloads, i -> message(i, "ready").getBytes(UTF_8));
      PackCodec.sealedPage(StoredPacks.columns(HOUR.startTicks(), 1, payloads), codec, writer);
      writer.toBytes();
      writer.close();
      assertThatThrownBy(writer::toBytes).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aPackHasNothingAfterItsHeader() {
    byte[][] payloads = new byte[20][];
    Arrays.setAll(payloads, i -> ("{\"n\":" + i + "}").getBytes(UTF_8));
    Pack pack = PackCodec.encode(StoredPacks.columns(HOUR.startTicks(), 1, payloads)).get(0);
    byte[] longer = Arrays.copyOf(head(pack), pack.head().limit() + 9);
    assertThatThrownBy(
            () ->
                new PagePart(
                    new Pack(pack.first(), pack.digest(), ByteBuffer.wrap(longer), pack.body())))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("9 bytes after its header");
  }
}
