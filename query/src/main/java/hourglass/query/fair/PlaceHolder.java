package hourglass.query.fair;

/** Reacts to changes of a query's place. Called without locks, on any thread. */
public interface PlaceHolder {
  void begin();

  void refuse(String why);

  /** Reports that the query lost its place or regained it; see {@link Places.Place#mustPause}. */
  void moved();

  /** Ends the query, since its client reads too slowly and others wait for its capacity. */
  void cutOff();
}
