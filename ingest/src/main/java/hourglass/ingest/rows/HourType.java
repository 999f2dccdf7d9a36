package hourglass.ingest.rows;

import hourglass.bucketing.Hour;

/** An hour and a type: what claims are about. */
record HourType(Hour hour, String type) implements Comparable<HourType> {
  // So that types chosen for their equal hashes do not make a map slow.
  @Override
  public int compareTo(HourType other) {
    int byType = type.compareTo(other.type);
    return byType != 0 ? byType : hour.compareTo(other.hour);
  }
}
