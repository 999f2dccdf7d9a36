package hourglass.load.verify;

import hourglass.load.command.ReportLines;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a verification as text and as figures. */
public final class VerifyReport {
  private VerifyReport() {}

  public static Map<String, @Nullable Object> figures(Verification verification) {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("passed", verification.passed());
    figures.put("events_expected", verification.expected());
    figures.put("events_unsure_found", verification.unsureFound());
    figures.put("events_read", verification.read());
    figures.put("events_foreign", verification.foreign());
    figures.put("types", verification.types());
    figures.put("events_paged", verification.paged());
    figures.put("times_compared", verification.timed());
    figures.put("seconds", verification.seconds());
    Map<String, @Nullable Object> faults = new LinkedHashMap<>();
    verification.faults().counts().forEach((kind, count) -> faults.put(kind.label, count));
    figures.put("faults", faults);
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    verification
        .faults()
        .counts()
        .keySet()
        .forEach(kind -> shown.put(kind.label, verification.faults().shown(kind)));
    figures.put("first_faults", shown);
    return figures;
  }

  public static String text(Verification verification) {
    ReportLines lines = new ReportLines();
    lines.add(
        verification.passed() ? "verified" : "WRONG",
        "%,d events expected, %,d read back in order, %d types, %,d in pages, %.1f s",
        verification.expected(),
        verification.read(),
        verification.types(),
        verification.paged(),
        verification.seconds());
    if (verification.expected() + verification.unsureFound() == 0) {
      lines.add("", "nothing was acknowledged, so there was nothing to verify");
    }
    if (verification.unsureFound() > 0) {
      lines.add("", "%,d of unknown fate are stored", verification.unsureFound());
    }
    if (verification.foreign() > 0) {
      lines.add("", "%,d events of the range are not of this run", verification.foreign());
    }
    if (!verification.timed()) {
      lines.add("", "some events had no time, so times were not compared");
    }
    faults(lines, verification.faults());
    return lines.toString();
  }

  private static void faults(ReportLines lines, Faults faults) {
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
  }
}
