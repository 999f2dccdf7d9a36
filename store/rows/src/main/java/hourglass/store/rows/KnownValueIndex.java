package hourglass.store.rows;

import hourglass.store.CorruptException;
import hourglass.store.pages.PageCodec.PageBytes;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A {@link ValueIndex} that is stored somewhere, with its head and last answers. Thread-safe. */
public final class KnownValueIndex {
  /** Rows that share an index are asked for one after another, by few queries at a time. */
  private static final int ANSWERS_MAX = 4;

  /** Longer lists of values are looked up again. */
  private static final int ANSWER_HASHES_MAX = 32;

  /** Limit of a kept head, for each page. Usual events have some 80; more would cost too much. */
  private static final int HEAD_BYTES_MAX = 128;

  private final int checksum;
  private final int pages;

  /** Once read; never a long one. */
  private volatile ValueIndex.@Nullable Head head;

  /** The newest first. */
  private volatile List<Answer> answers = List.of();

  private record Answer(List<long[]> required, BitSet found) {}

  /** Gives the bytes of the index to a reader. */
  public interface Source {
    BitSet read(Function<PageBytes, BitSet> reader);
  }

  /**
   * An index that was not read yet.
   *
   * @param checksum of its header
   * @param pages how many it must have
   */
  public KnownValueIndex(int checksum, int pages) {
    this.checksum = checksum;
    this.pages = pages;
  }

  /**
   * Finds the pages that may have a hash of each array, which must not be changed. Reads the index,
   * unless these hashes were asked for lately.
   *
   * @throws CorruptException if this is another index, or a part that is read is damaged
   */
  public BitSet find(long[][] required, ValueIndex reader, Source source) {
    for (Answer answer : answers) {
      if (Arrays.deepEquals(answer.required().toArray(), required)) {
        return answer.found();
      }
    }
    try {
      BitSet found = source.read(bytes -> reader.find(bytes, head(bytes), required));
      keep(required, found);
      return found;
    } catch (CorruptException e) {
      forget(); // the starts in the head have no checksum of their own
      throw e;
    }
  }

  /** Beside another thread, one of two answers may be lost. */
  private void keep(long[][] required, BitSet found) {
    if (Arrays.stream(required).mapToInt(hashes -> hashes.length).sum() <= ANSWER_HASHES_MAX) {
      Answer newest = new Answer(List.of(required), found);
      answers = Stream.concat(Stream.of(newest), answers.stream()).limit(ANSWERS_MAX).toList();
    }
  }

  private ValueIndex.Head head(PageBytes bytes) {
    ValueIndex.Head known = head;
    if (known != null) {
      return known;
    }
    ValueIndex.Head read = ValueIndex.head(bytes, checksum);
    if (read.pages() != pages) {
      throw new CorruptException(
          "index: of " + read.pages() + " pages, not of the " + pages + " listed");
    }
    if (read.bytes() <= HEAD_BYTES_MAX * read.pages()) {
      head = read;
    }
    return read;
  }

  /** Frees the memory of the head and of answers. */
  public void forget() {
    head = null;
    answers = List.of();
  }
}
