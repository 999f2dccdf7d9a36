package hourglass.store.pages;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import hourglass.bytes.ByteSearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the columns of a page that may contain one text of each list. Not thread-safe. */
final class TextMatcher {
  /** The searches of each list; a column matches if one search of each list finds its text. */
  private final List<List<Search>> all;

  /** The searches that found something, once the page is searched. */
  private Search[][] finding = {};

  /** Creates a matcher; null if all columns may match. */
  static @Nullable TextMatcher of(
      List<List<ByteSearch>> texts, Template[] shapes, Values[] fields) {
    List<List<Search>> all = new ArrayList<>();
    for (List<ByteSearch> any : texts) {
      List<Search> searches = isImplied(any, all) ? null : searches(any, shapes, fields);
      if (searches == null) {
        continue;
      }
      searches.removeIf(search -> !search.mayFind());
      if (searches.isEmpty()) {
        return new TextMatcher(List.of(searches)); // no column has such a text
      }
      all.add(searches);
    }
    return all.isEmpty() ? null : new TextMatcher(all);
  }

  /** Returns a search for each text; null if all columns may contain one of the texts. */
  private static @Nullable List<Search> searches(
      List<ByteSearch> any, Template[] shapes, Values[] fields) {
    List<Search> searches = new ArrayList<>();
    for (ByteSearch text : any) {
      Search search = Search.of(text, shapes, fields);
      if (search == null) {
        return null;
      }
      searches.add(search);
    }
    return searches;
  }

  /** Whether columns that all lists find contain one of these texts, as a part of another text. */
  private static boolean isImplied(List<ByteSearch> any, List<List<Search>> all) {
    return all.stream()
        .anyMatch(
            list ->
                list.stream()
                    .allMatch(search -> any.stream().anyMatch(text -> text.isIn(search.wanted))));
  }

  private TextMatcher(List<List<Search>> all) {
    this.all = all;
  }

  /** Whether {@link #search} reads a field. */
  boolean reads(int field) {
    return all.stream().flatMap(List::stream).anyMatch(search -> search.searched[field]);
  }

  /** Searches the page, once the fields that are read are loaded; false if no column may match. */
  boolean search(int[] counts, byte[] room, int end) {
    List<List<Search>> searched = new ArrayList<>();
    for (List<Search> any : all) {
      if (isImplied(any.stream().map(search -> search.wanted).toList(), searched)) {
        continue;
      }
      any.removeIf(search -> !search.search(counts, room, end));
      if (any.isEmpty()) {
        return false;
      }
      searched.add(any);
    }
    finding = searched.stream().map(any -> any.toArray(new Search[0])).toArray(Search[][]::new);
    return true;
  }

  /** Whether the next column may match, which has this shape. */
  boolean mayMatch(int shape) {
    boolean mayMatch = true;
    for (Search[] any : finding) {
      boolean mayHave = false;
      for (Search search : any) { // each search advances
        mayHave |= search.mayHave(shape);
      }
      mayMatch &= mayHave;
    }
    return mayMatch;
  }

  /**
   * Finds the columns that may contain a text, by the parts of shapes and the values between them.
   * The search is exact for a text that in no shape is partly in a part and partly in a value next
   * to it. For any other text, it searches for a piece of the text.
   *
   * <pre>
   *   shape   {"type":"   ","status":   }
   *   tat     is in a part, so in every column of the shape
   *   ogi     may be in a value, and in no part
   *   s":50   crosses from a part into a value; its longest piece that is in no part is 50
   * </pre>
   */
  private static final class Search {
    /**
     * The longest text that is searched for. A search for a longer one is slow where letters
     * repeat, and its beginning suffices.
     */
    private static final int BYTES_MAX = 64;

    /** The punctuation of JSON, between and around values. */
    private static final Pattern PUNCTUATION = Pattern.compile("[\\x00-\\x20\":,{}\\[\\]]+");

    private final ByteSearch wanted;

    /** The text that is searched for in place of the wanted one. */
    private final ByteSearch text;

    private final Template[] shapes;
    private final Values[] fields;

    /** Whether the text is in a part of each shape. */
    private final boolean[] inParts;

    /** Whether the values of each field are searched. */
    private final boolean[] searched;

    /** The values of each field that contain the text; null if none does. */
    private final @Nullable BitSet[] having;

    /** The fields of each shape's values in which some value contains the text. */
    private final int[][] read;

    /** The next value of each field. */
    private final int[] next;

    /** Creates a search; null if all columns may contain the text. */
    static @Nullable Search of(ByteSearch text, Template[] shapes, Values[] fields) {
      ByteSearch chosen = chosen(beginning(text), List.of(shapes));
      return chosen == null ? null : new Search(text, chosen, shapes, fields);
    }

    private static ByteSearch beginning(ByteSearch text) {
      return text.length() <= BYTES_MAX ? text : text.of(Arrays.copyOf(text.text(), BYTES_MAX));
    }

    private static @Nullable ByteSearch chosen(ByteSearch text, List<Template> shapes) {
      if (shapes.stream().noneMatch(shape -> shape.mayCross(text))) {
        return text;
      }
      return pieces(text)
          .filter(piece -> shapes.stream().noneMatch(shape -> shape.mayCross(piece)))
          .min(
              Comparator.comparingLong(
                      (ByteSearch piece) ->
                          shapes.stream().filter(shape -> shape.has(piece)).count())
                  .thenComparingInt(piece -> -piece.length()))
          .orElse(null);
    }

    private static Stream<ByteSearch> pieces(ByteSearch text) {
      return PUNCTUATION
          .splitAsStream(new String(text.text(), ISO_8859_1))
          .filter(piece -> !piece.isEmpty())
          .map(piece -> text.of(piece.getBytes(ISO_8859_1)));
    }

    private Search(ByteSearch wanted, ByteSearch text, Template[] shapes, Values[] fields) {
      this.wanted = wanted;
      this.text = text;
      this.shapes = shapes;
      this.fields = fields;
      inParts = new boolean[shapes.length];
      searched = new boolean[fields.length];
      having = new BitSet[fields.length];
      read = new int[shapes.length][];
      next = new int[fields.length];
      for (int s = 0; s < shapes.length; s++) {
        inParts[s] = shapes[s].has(text);
        for (int field : shapes[s].fields) {
          searched[field] |= !inParts[s];
        }
      }
      for (int field = 0; field < fields.length; field++) {
        searched[field] = searched[field] && fields[field].mayHave(text);
      }
    }

    /** Whether a column may contain the text, before values are loaded. */
    boolean mayFind() {
      for (int s = 0; s < shapes.length; s++) {
        if (inParts[s] || Arrays.stream(shapes[s].fields).anyMatch(field -> searched[field])) {
          return true;
        }
      }
      return false;
    }

    /** Searches the values; false if no column contains the text. */
    boolean search(int[] counts, byte[] room, int end) {
      for (int field = 0; field < fields.length; field++) {
        if (searched[field]) {
          BitSet found = fields[field].having(text, counts[field], room, end);
          having[field] = found.isEmpty() ? null : found;
        }
      }
      boolean mayMatch = false;
      for (int s = 0; s < shapes.length; s++) {
        read[s] = Arrays.stream(shapes[s].fields).filter(field -> having[field] != null).toArray();
        mayMatch |= inParts[s] || read[s].length > 0;
      }
      return mayMatch;
    }

    /** Whether the next column may contain the text; the column has this shape. */
    boolean mayHave(int shape) {
      boolean mayHave = inParts[shape];
      for (int field : read[shape]) {
        mayHave |= requireNonNull(having[field]).get(next[field]++);
      }
      return mayHave;
    }
  }
}
