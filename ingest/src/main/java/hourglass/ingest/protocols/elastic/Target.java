package hourglass.ingest.protocols.elastic;

import hourglass.bytes.Json;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * The content of an action line apart from the id of the document: the same for most lines of a
 * body.
 *
 * @param action the action, such as {@code create}; it names the item of the answer
 * @param index the index as the client names it
 * @param type the type of the event; null where neither the line nor the path names an index
 * @param answerHead the beginning of its items in answers; not changed
 */
record Target(String action, String index, @Nullable String type, Buffer answerHead) {
  /** The index that is shown for a document without one, since clients require one in each item. */
  private static final String NO_INDEX = "";

  static Target of(String action, @Nullable String index) {
    String shown = index == null ? NO_INDEX : index;
    String head = "{\"" + action + "\":{\"_index\":" + Json.quoted(shown);
    return new Target(
        action,
        shown,
        index == null || index.isEmpty() ? null : IndexName.type(index),
        Buffer.buffer(head));
  }

  /** Returns whether a line for the document follows. */
  boolean hasDocument() {
    return !action.equals("delete");
  }

  boolean stores() {
    return action.equals("index") || action.equals("create");
  }
}
