package hourglass.store.embedded.files;

/** The page files with the numbers {@code [from, to)}. */
public record FileRange(long from, long to) {
  public FileRange {
    if (from > to) {
      throw new IllegalArgumentException("from file " + from + " to " + to);
    }
  }

  /** Returns the range of both files and all between them. */
  public static FileRange closed(long first, long last) {
    return new FileRange(first, last + 1);
  }

  public boolean contains(long file) {
    return from <= file && file < to;
  }
}
