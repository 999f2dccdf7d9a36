package hourglass.store.embedded.page;

/** Where the values of one field stand in the payloads, in the order of columns. Reused. */
final class Field {
  private int[] starts = new int[2048];
  private int[] ends = new int[2048];
  private int count;

  void clear() {
    count = 0;
  }

  void add(int start, int end) {
    if (count == starts.length) {
      starts = Frames.grown(starts);
      ends = Frames.grown(ends);
    }
    starts[count] = start;
    ends[count] = end;
    count++;
  }

  int count() {
    return count;
  }

  int start(int i) {
    return starts[i];
  }

  int end(int i) {
    return ends[i];
  }

  int length(int i) {
    return ends[i] - starts[i];
  }
}
