package hourglass.store.embedded.files;

import hourglass.store.CorruptException;
import hourglass.store.pages.PageCodec.PageBytes;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A {@link ValueIndex} that is listed, with its head and last answers. Thread-safe. */
final class ListedIndex {
  /** Rows that share an index are asked for one after another, by few queries at a time. */
  private static final int ANSWERS_MAX = 4;

  /** Longer lists of values are looked up again. */
  private static final int ANSWER_HASHES_MAX = 32;

  /** Of a kept head, for each page. Usual events have some 80; more would cost more than pages. */
  private static final int HEAD_BYTES_MAX = 128;

  private final IndexMeta meta;

  /** Once read; never a long one. */
  private volatile ValueIndex.@Nullable Head head;

  /** The newest first. */
  private volatile List<Answer> answers = List.of();

  private record Answer(List<long[]> required, ValueIndex.Found found) {}

  ListedIndex(IndexMeta meta) {
    this.meta = meta;
  }

  IndexMeta meta() {
    return meta;
  }

  /** Null if these hashes were not asked for lately. */
  ValueIndex.@Nullable Found answer(long[][] required) {
    for (Answer answer : answers) {
      if (Arrays.deepEquals(answer.required().toArray(), required)) {
        return answer.found();
      }
    }
    return null;
  }

  /** Beside another thread, one of two answers may be lost. */
  void keep(long[][] required, ValueIndex.Found found) {
    if (Arrays.stream(required).mapToInt(hashes -> hashes.length).sum() <= ANSWER_HASHES_MAX) {
      Answer newest = new Answer(List.of(required), found);
      answers = Stream.concat(Stream.of(newest), answers.stream()).limit(ANSWERS_MAX).toList();
    }
  }

  /**
   * Reads the head, unless it is kept.
   *
   * @throws CorruptException if this is another index, or its head is damaged
   */
  ValueIndex.Head head(PageBytes bytes) {
    ValueIndex.Head known = head;
    if (known != null) {
      return known;
    }
    ValueIndex.Head read = ValueIndex.head(bytes, meta.checksum());
    if (read.pages() != meta.pages().size()) {
      throw new CorruptException(
          "index: of " + read.pages() + " pages, not of the " + meta.pages().size() + " listed");
    }
    if (read.bytes() <= HEAD_BYTES_MAX * read.pages()) {
      head = read;
    }
    return read;
  }

  void forget() {
    head = null;
    answers = List.of();
  }
}
