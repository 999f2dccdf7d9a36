package hourglass.store.rows;

import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.pages.PageCodec;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.pages.hashes.RequiredHashes.OneOf;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ValueIndex} that is stored somewhere; this keeps its head and the last answers.
 * Thread-safe.
 */
public final class KnownValueIndex {
  /**
   * The greatest number of answers that are kept; a few queries at a time ask for the rows of an
   * index one after another.
   */
  private static final int ANSWERS_MAX = 4;

  /** The greatest number of values whose answer is kept; longer lists are looked up again. */
  private static final int ANSWER_HASHES_MAX = 128;

  /**
   * The largest head that is kept, in bytes for each page. Structured events need some 80, messages
   * some 170: four bytes for 128 values and words. An index of 128 pages keeps 32 KiB at most.
   */
  private static final int HEAD_BYTES_MAX = 256;

  private final int checksum;
  private final int pages;

  /** The head, kept once it was read, unless it is too large. */
  private volatile ValueIndex.@Nullable Head head;

  /** The last answers, the newest first. */
  private volatile List<Answer> answers = List.of();

  private record Answer(List<OneOf> required, BitSet found) {}

  /** Gives the bytes of the index to a reader. */
  public interface Source {
    BitSet read(Function<PageBytes, BitSet> reader);
  }

  /**
   * Creates an index that was not read yet.
   *
   * @param checksum the checksum of its header
   * @param pages the number of pages that it must have
   */
  public KnownValueIndex(int checksum, int pages) {
    this.checksum = checksum;
    this.pages = pages;
  }

  /**
   * Finds the pages that may have a column which passes the filter. It reads the index, unless the
   * same was looked up lately.
   *
   * @throws CorruptException if this is another index, or a part that is read is damaged
   */
  public BitSet find(FieldFilter filter, PageCodec codec, ValueIndex reader, Source source) {
    List<OneOf> required = codec.required(filter).all();
    for (Answer answer : answers) {
      if (answer.required().equals(required)) {
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

  /** Keeps an answer. If two threads do so at once, one of the answers may be lost. */
  private void keep(List<OneOf> required, BitSet found) {
    if (required.stream().mapToInt(oneOf -> oneOf.own().length).sum() <= ANSWER_HASHES_MAX) {
      Answer newest = new Answer(required, found);
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
