package hourglass.ingest;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * The verdicts on the items of a request.
 *
 * @param untimed accepted events without a time of their own
 * @param errors the first rejected items, in the order sent
 */
public record Verdicts(int accepted, int rejected, int untimed, List<ItemError> errors) {
  /** One rejected item; its reason names the problem and the allowed values. */
  public record ItemError(int index, String reason) {}

  public Verdicts {
    errors = List.copyOf(errors);
  }

  public JsonObject toJson() {
    JsonObject json = new JsonObject().put("accepted", accepted).put("rejected", rejected);
    if (untimed > 0) {
      json.put("untimed", untimed);
    }
    JsonArray list = new JsonArray();
    errors.forEach(
        error -> list.add(new JsonObject().put("index", error.index).put("reason", error.reason)));
    return json.put("errors", list);
  }
}
