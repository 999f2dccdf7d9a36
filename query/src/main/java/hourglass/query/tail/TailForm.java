package hourglass.query.tail;

import hourglass.query.Chunk;
import java.util.List;

/** The text of a tail. Not thread-safe. */
interface TailForm {
  /** Appends an event; false if the chunk has no room. */
  boolean write(TailEvent event, TailPosition after, Chunk out);

  byte[] greeting(TailPosition position);

  /** For a long time without events. */
  byte[] beat(TailPosition position);

  /** The events between two positions are left out; a link leads to them. */
  byte[] missed(TailPosition from, TailPosition to, String link);

  /** Late events before a position may be missing. */
  byte[] gap(TailPosition position);

  /** Parts of the store are missing. */
  byte[] gap(TailPosition position, List<String> missing);

  /** The filter could not evaluate an event. */
  byte[] failed(TailEvent event, TailPosition after, String detail);
}
