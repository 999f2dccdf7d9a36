package hourglass.query.count;

/** Counts the groups of events by the values of the only field. */
final class KeySink implements ValueSink {
  private final GroupKeys keys;
  private final TextGatherer texts;

  KeySink(GroupKeys keys, TextGatherer texts) {
    this.keys = keys;
    this.texts = texts;
  }

  @Override
  public void take(byte[] json, int from, int to, int events) {
    texts.add(keys.ofOnlyField(json, from, to), events);
  }

  @Override
  public void takeAbsent(long events) {
    for (long left = events; left > 0; left -= Integer.MAX_VALUE) {
      texts.add(keys.ofOnlyField(null, 0, 0), (int) Math.min(left, Integer.MAX_VALUE));
    }
  }

  @Override
  public void flush() {
    texts.flush();
  }
}
