package hourglass.store.cassandra.rows;

import hourglass.store.rows.Section;
import java.util.concurrent.CompletionStage;

/** Reads a range of a row from Cassandra, section by section. For one thread at a time. */
interface Sections {
  /** Returns the next section, in the order of the query. Must not be called after the last one. */
  CompletionStage<Section> next();
}
