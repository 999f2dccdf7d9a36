package hourglass.store.pages;

import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.pages.hashes.RequiredHashes;
import hourglass.store.pages.hashes.WordDictionary;
import hourglass.store.pages.hashes.WordDictionaryWriter;
import hourglass.store.pages.hashes.WordList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The values and words of a page, as an index of several pages has them. */
final class PageIndex implements PageCodec.ValueSink {
  private final Set<Long> hashes = new HashSet<>();

  /** The dictionary of the page alone may take as many bytes as the page. */
  private final WordDictionaryWriter words = new WordDictionaryWriter(1);

  private final WordDictionary dictionary = new WordDictionary();
  private byte[] bytes = {};
  private long marks;

  /** Encodes columns as a page with an index; the page has a filter if the index has no room. */
  byte[] encode(PageCodec codec, Columns columns) {
    hashes.clear();
    words.clear();
    byte[] page = codec.encode(columns, this);
    bytes = words.toBytes();
    if (hasDictionary()) {
      dictionary.reset(bytes, bytes.length);
    }
    return page;
  }

  @Override
  public void accept(long[] all, int count, WordList of) {
    Arrays.stream(all, 0, count).forEach(hashes::add);
    words.add(of);
    marks = of.marks();
  }

  boolean isEmpty() {
    return hashes.isEmpty();
  }

  boolean hasDictionary() {
    return !isEmpty() && bytes.length > 0;
  }

  int dictionaryBytes() {
    return bytes.length;
  }

  /** Whether the page may contain a column that passes the filter. */
  boolean mayMatch(PageCodec codec, FieldFilter filter) {
    for (RequiredHashes.OneOf oneOf : codec.required(filter).all()) {
      if (!isAny(oneOf.own(marks)) && !hasPart(oneOf)) {
        return false;
      }
    }
    return true;
  }

  private boolean hasPart(RequiredHashes.OneOf oneOf) {
    if (oneOf.parts().isEmpty()) {
      return false;
    }
    long[] words = hasDictionary() ? oneOf.ofParts(dictionary) : null;
    return words == null || isAny(words);
  }

  private boolean isAny(long[] sought) {
    return Arrays.stream(sought).anyMatch(hashes::contains);
  }
}
