package hourglass.load.verify;

import hourglass.load.command.ReportLines;
import io.vertx.core.json.JsonObject;

/**
 * The result of a verification.
 *
 * @param expected the number of events that must be stored
 * @param unsureFound the number of events of unknown fate that are stored
 * @param foreign the number of events read that this run did not send
 * @param paged the number of events compared with pages
 * @param timed whether times were compared
 */
public record Verification(
    long expected,
    long unsureFound,
    long read,
    long foreign,
    int types,
    long paged,
    boolean timed,
    double seconds,
    Faults faults) {
  public boolean passed() {
    return faults.counts().isEmpty();
  }

  public JsonObject figures() {
    JsonObject counts = new JsonObject();
    JsonObject shown = new JsonObject();
    faults.counts().forEach((kind, count) -> counts.put(kind.label, count));
    faults.counts().keySet().forEach(kind -> shown.put(kind.label, faults.shown(kind)));
    return new JsonObject()
        .put("passed", passed())
        .put("events_expected", expected)
        .put("events_unsure_found", unsureFound)
        .put("events_read", read)
        .put("events_foreign", foreign)
        .put("types", types)
        .put("events_paged", paged)
        .put("times_compared", timed)
        .put("seconds", seconds)
        .put("faults", counts)
        .put("first_faults", shown);
  }

  public ReportLines lines() {
    ReportLines lines = new ReportLines();
    lines.add(
        passed() ? "verified" : "WRONG",
        "%,d events expected, %,d read back in order, %d types, %,d in pages, %.1f s",
        expected,
        read,
        types,
        paged,
        seconds);
    if (expected + unsureFound == 0) {
      lines.add("", "nothing was acknowledged, so there was nothing to verify");
    }
    if (unsureFound > 0) {
      lines.add("", "%,d of unknown fate are stored", unsureFound);
    }
    if (foreign > 0) {
      lines.add("", "%,d events of the range are not of this run", foreign);
    }
    if (!timed) {
      lines.add("", "some events had no time, so times were not compared");
    }
    faults
        .counts()
        .forEach(
            (kind, count) -> {
              lines.add("", "%,d %s", count, kind.label);
              faults.shown(kind).forEach(text -> lines.add("", "    %s", text));
            });
    if (faults.count(Faults.Kind.DOUBLED) > 0) {
      lines.add(
          "", "(doubled: an earlier run of the same events without the same keys looks alike)");
    }
    return lines;
  }
}
