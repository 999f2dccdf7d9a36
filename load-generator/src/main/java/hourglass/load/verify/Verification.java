package hourglass.load.verify;

import hourglass.load.command.ReportLines;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a verification.
 *
 * @param expected events that must be there
 * @param unsureFound events of unknown fate that are there
 * @param foreign events read that this run did not send
 * @param paged events compared with pages
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

  public Map<String, @Nullable Object> figures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("passed", passed());
    figures.put("events_expected", expected);
    figures.put("events_unsure_found", unsureFound);
    figures.put("events_read", read);
    figures.put("events_foreign", foreign);
    figures.put("types", types);
    figures.put("events_paged", paged);
    figures.put("times_compared", timed);
    figures.put("seconds", seconds);
    Map<String, Long> counts = new LinkedHashMap<>();
    Map<String, Object> shown = new LinkedHashMap<>();
    faults
        .counts()
        .forEach(
            (kind, count) -> {
              counts.put(kind.label, count);
              shown.put(kind.label, faults.shown(kind));
            });
    figures.put("faults", counts);
    figures.put("first_faults", shown);
    return figures;
  }

  public String text() {
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
    return lines.toString();
  }
}
