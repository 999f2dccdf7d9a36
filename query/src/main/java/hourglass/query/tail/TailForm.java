package hourglass.query.tail;

import hourglass.query.Chunk;
import hourglass.query.Gaps;

/** The form in which a tail is written. Not thread-safe. */
interface TailForm {
  /** Appends an event. Returns false if the chunk has no room. */
  boolean write(TailEvent event, TailPosition after, Chunk out);

  byte[] greeting(TailPosition position);

  /** Returns the text after a long time without events. */
  byte[] beat(TailPosition position);

  /** Returns a notice that the events between two positions are left out; a link leads to them. */
  byte[] missed(TailPosition from, TailPosition to, String link);

  /** Returns a notice that late events before a position may be missing. */
  byte[] gap(TailPosition position);

  /** Returns a notice that the store does not have parts of the next hours. */
  byte[] gap(TailPosition position, Gaps gaps);

  /** Returns a notice that the filter could not evaluate an event. */
  byte[] failed(TailEvent event, TailPosition after, String detail);
}
