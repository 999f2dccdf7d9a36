package hourglass.store.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Ticks;
import hourglass.bytes.ByteSearch;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.TextFilter;
import hourglass.store.pages.PageCodec;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.pages.hashes.RequiredHashes.OneOf;
import hourglass.store.pages.hashes.WordList;
import hourglass.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueIndexTest {
  private static final Pattern BYTES = Pattern.compile("(?m)^((?:[0-9a-f]{2} )+) ");
  private static final int ABSENT = 4_000;
  private static final List<String> WORDS = List.of("grapefruit", "tangerine", "mandarin");

  private final Random random = Seed.random("ValueIndexTest");
  private final ValueIndexWriter writer = new ValueIndexWriter();
  private final ValueIndex reader = new ValueIndex();

  /** The hashes of each page. */
  private final List<long[]> pages = new ArrayList<>();

  private byte[] index() {
    writer.clear();
    pages.forEach(hashes -> writer.accept(hashes, hashes.length, new WordList()));
    return writer.toBytes();
  }

  private BitSet find(byte[] index, long... oneOf) {
    return find(index, new long[][] {oneOf});
  }

  private BitSet find(byte[] index, long[][] required) {
    return find(index, ValueIndex.checksum(index), required);
  }

  private BitSet find(byte[] index, int checksum, long[][] required) {
    PageBytes bytes = PageBytes.of(index);
    List<OneOf> all = Arrays.stream(required).map(hashes -> new OneOf(hashes, List.of())).toList();
    return reader.find(bytes, ValueIndex.head(bytes, checksum), all);
  }

  /** Random hashes, of which some are in several pages. */
  private void fill(int pageCount, int values) {
    long[] common = random.longs(1 + values / 8).toArray();
    for (int page = 0; page < pageCount; page++) {
      Set<Long> hashes = new HashSet<>();
      for (int n = random.nextInt(values + 1); n > 0; n--) {
        boolean isCommon = random.nextInt(4) == 0;
        hashes.add(isCommon ? common[random.nextInt(common.length)] : random.nextLong());
      }
      pages.add(hashes.stream().mapToLong(Long::longValue).toArray());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 13, 64, 65, 81, 127, 128})
  void eachPageOfAValueIsFound(int pageCount) {
    for (int values : new int[] {0, 1, 40, 2_000}) {
      pages.clear();
      fill(pageCount, values);
      byte[] index = index();
      for (int page = 0; page < pageCount; page++) {
        for (long hash : pages.get(page)) {
          assertThat(find(index, hash).get(page)).as("page %s of %s", page, pageCount).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 13, 81, 128})
  void fewPagesWithoutAValueAreFound(int pageCount) {
    for (int page = 0; page < pageCount; page++) {
      pages.add(random.longs(1_000).toArray());
    }
    byte[] index = index();
    long found = random.longs(ABSENT).map(hash -> find(index, hash).cardinality()).sum();
    // By chance 1 of 4 for more than 64 pages, and half as many for half as many pages.
    int oneOf = 1 << ValueIndex.rice(pageCount);
    assertThat(found).isLessThan(ABSENT * 5L / 4 / oneOf + 20);
    assertThat((double) index.length * Byte.SIZE / (1_000.0 * pageCount)).isLessThan(11.6);
  }

  @Test
  void aPageMustContainOneValueOfEachList() {
    pages.add(new long[] {1L << 60, 2L << 60});
    pages.add(new long[] {2L << 60, 3L << 60});
    pages.add(new long[0]);
    byte[] index = index();
    assertThat(find(index, 1L << 60)).isEqualTo(bits(0));
    assertThat(find(index, 2L << 60)).isEqualTo(bits(0, 1));
    assertThat(find(index, 1L << 60, 3L << 60)).isEqualTo(bits(0, 1));
    assertThat(find(index, new long[][] {{1L << 60}, {3L << 60}})).isEqualTo(bits());
    assertThat(find(index, new long[][] {{1L << 60}, {2L << 60}})).isEqualTo(bits(0));
    assertThat(find(index, new long[0][])).isEqualTo(bits(0, 1, 2));
  }

  @Test
  void anotherVersionIsRefused() {
    pages.add(new long[] {1L << 60});
    byte[] index = index();
    index[ValueIndex.VERSION_AT] = 3;
    ValueIndex.words(index).putInt(ValueIndex.CHECKSUM_AT, ValueIndex.headerChecksum(index));
    assertThatThrownBy(() -> find(index, 1L << 60))
        .isInstanceOf(CorruptException.class)
        .hasMessage("index: version 3 is unknown");
  }

  private static BitSet bits(int... set) {
    BitSet bits = new BitSet();
    Arrays.stream(set).forEach(bits::set);
    return bits;
  }

  /** A sender could choose such values. */
  @Test
  void allValuesMayBeInOneBlock() {
    for (int page = 0; page < 10; page++) {
      pages.add(random.longs(17_000).map(hash -> hash >>> 24).toArray());
    }
    pages.add(new long[] {-1});
    byte[] index = index();
    for (int page = 0; page < 10; page++) {
      assertThat(find(index, pages.get(page)[0]).get(page)).isTrue();
    }
    assertThat(find(index, -1)).isEqualTo(bits(10));
  }

  @Test
  void damageIsFoundOrDoesNotMatter() {
    fill(20, 60);
    byte[] index = index();
    long[] sought = pages.stream().filter(page -> page.length > 0).findFirst().get();
    int refused = 0;
    for (int at = 0; at < index.length; at++) {
      byte[] damaged = index.clone();
      damaged[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      for (long hash : sought) {
        try {
          BitSet found = find(damaged, ValueIndex.checksum(index), new long[][] {{hash}});
          assertThat(found).isEqualTo(find(index, hash));
        } catch (CorruptException e) {
          assertThat(e).hasMessageStartingWith("index: ");
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(index.length);
  }

  /** Writes pages of messages, each with a word of its own, in an index with a dictionary. */
  private byte[] indexOfMessages(int count) {
    writer.clear();
    try (PageCodec codec = new PageCodec()) {
      for (int page = 0; page < count; page++) {
        ColumnsBuilder columns = new ColumnsBuilder(1_000, 200_000);
        for (int i = 0; i < 1_000; i++) {
          byte[] json =
              "{\"m\":\"connection of order%d refused by %s %x\"}"
                  .formatted(1_000 + i, WORDS.get(page), random.nextLong())
                  .getBytes(UTF_8);
          columns.add(Ticks.UNIX_EPOCH + i, -1, json, 0, json.length);
        }
        codec.encode(columns.build(), writer);
      }
    }
    return writer.toBytes();
  }

  private BitSet find(byte[] index, String part) {
    try (PageCodec codec = new PageCodec()) {
      FieldFilter filter = new TextFilter(new ByteSearch(part.getBytes(UTF_8), true));
      PageBytes bytes = PageBytes.of(index);
      ValueIndex.Head head = ValueIndex.head(bytes, ValueIndex.checksum(index));
      return reader.find(bytes, head, codec.required(filter).all());
    }
  }

  @Test
  void pagesAreFoundByPartsOfWords() {
    byte[] index = indexOfMessages(3);
    assertThat(find(index, "angerin")).isEqualTo(bits(1));
    assertThat(find(index, "EFUSED BY TANG")).isEqualTo(bits(1));
    assertThat(find(index, "connection of ord")).isEqualTo(bits(0, 1, 2));
    assertThat(find(index, "mandar")).isEqualTo(bits(2));
    assertThat(find(index, "xyloph")).isEqualTo(bits());
    assertThat(find(index, "order17")).isEqualTo(bits(0, 1, 2));
  }

  @Test
  void aDamagedDictionaryIsRefused() {
    byte[] index = indexOfMessages(3);
    ValueIndex.Head head = ValueIndex.head(PageBytes.of(index), ValueIndex.checksum(index));
    assertThat(head.dictionaryBytes()).isPositive();
    for (int at = index.length - head.dictionaryBytes(); at < index.length; at++) {
      byte[] damaged = index.clone();
      damaged[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      assertThatThrownBy(() -> find(damaged, "angerin"))
          .isInstanceOf(CorruptException.class)
          .hasMessage("index: the dictionary does not match its checksum");
    }
    byte[] cut = Arrays.copyOf(index, index.length - 1);
    assertThat(find(cut, "e")).as("a part of the ids in each page").isEqualTo(bits(0, 1, 2));
    assertThatThrownBy(() -> find(cut, "angerin"))
        .isInstanceOf(CorruptException.class)
        .hasMessageStartingWith("index: no dictionary of ");
  }

  @Test
  void aCheckFindsAnyFlippedBitOfAnIndexWithADictionary() {
    byte[] index = indexOfMessages(3);
    int checksum = ValueIndex.checksum(index);
    ValueIndex.check(index, checksum);
    for (int at = 0; at < index.length; at += 1 + random.nextInt(20)) {
      byte[] damaged = index.clone();
      damaged[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      assertThatThrownBy(() -> ValueIndex.check(damaged, checksum))
          .as("offset %s", at)
          .isInstanceOf(CorruptException.class);
    }
    for (int length : new int[] {index.length - 1, index.length + 1}) {
      assertThatThrownBy(() -> ValueIndex.check(Arrays.copyOf(index, length), checksum))
          .isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void cutIndexesAreRefused() {
    fill(20, 60);
    byte[] index = index();
    long last = 0xffff_ffffL << Integer.SIZE;
    for (int length = 0; length < index.length; length++) {
      byte[] cut = Arrays.copyOf(index, length);
      assertThatThrownBy(() -> find(cut, ValueIndex.checksum(index), new long[][] {{last}}))
          .isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void anotherIndexIsRefused() {
    fill(20, 60);
    byte[] index = index();
    pages.set(0, new long[200]);
    byte[] other = index();
    assertThatThrownBy(() -> find(other, ValueIndex.checksum(index), new long[][] {{1}}))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("not the one listed");
  }

  @Test
  void theDocumentedExampleMatchesTheIndex() throws IOException {
    pages.add(new long[] {0x2000_0000_0000_0000L, 0x8000_0000_0000_0000L});
    pages.add(new long[] {0x8000_0000_0000_0000L});
    pages.add(new long[0]);
    String page = Files.readString(Path.of("../../docs/value-index-format.md"));
    String example = page.substring(page.indexOf("```hex"));
    StringBuilder bytes = new StringBuilder();
    for (Matcher line = BYTES.matcher(example); line.find(); ) {
      bytes.append(line.group(1));
    }
    assertThat(HexFormat.ofDelimiter(" ").formatHex(index())).isEqualTo(bytes.toString().strip());
  }
}
