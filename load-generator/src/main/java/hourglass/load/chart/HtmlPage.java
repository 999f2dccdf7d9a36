package hourglass.load.chart;

import java.util.List;

/** Builds an HTML page that needs no other file, in light and dark. Not for several threads. */
public final class HtmlPage {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --back: #fff; --ink: #1d2433; --faint: #d9dee8; --soft: #667089;
        --c0: #c2410c; --c1: #2563eb; --c2: #059669; --c3: #7c3aed; --c4: #b45309; --c5: #0e7490;
        --h0: #eef1f6; --h1: #d3e4f7; --h2: #b5d9ee; --h3: #9ed3c0; --h4: #f6e3a1; --h5: #f3bf72; --h6: #e98f56;
        --h7: #d65a45; --h8: #a3202f; }
      @media (prefers-color-scheme: dark) { :root { --back: #12161f; --ink: #e6e9f0; --faint: #2d3444; --soft: #98a2b8;
        --c0: #fb923c; --c1: #60a5fa; --c2: #34d399; --c3: #a78bfa; --c4: #fbbf24; --c5: #22d3ee;
        --h0: #1c2230; --h1: #1f3350; --h2: #225066; --h3: #24705c; --h4: #857622; --h5: #a8741f; --h6: #bd5c22;
        --h7: #cf3f31; --h8: #f0506a; } }
      body { background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 820px;
        margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
      p, dt { color: var(--soft); } dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
      dd { margin: 0; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
      th, td { text-align: right; padding: .25rem .4rem; border-bottom: 1px solid var(--faint); white-space: nowrap; }
      th:first-child, td:first-child { text-align: left; } th { font-weight: 600; color: var(--soft); }
      .pictures { display: flex; flex-wrap: wrap; gap: .75rem; }
      svg { max-width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--ink); }
      .grid { stroke: var(--faint); } .mark { stroke: var(--ink); stroke-dasharray: 2 3; }
      .before { stroke: var(--ink); stroke-width: 2; }
      polyline { fill: none; stroke-width: 1.8; stroke-linejoin: round; } .dashed { stroke-dasharray: 5 4; opacity: .75; }
      .c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); } .c3 { stroke: var(--c3); }
      .c4 { stroke: var(--c4); } .c5 { stroke: var(--c5); }
      .f0 { fill: var(--c0); } .f1 { fill: var(--c1); } .f2 { fill: var(--c2); } .f3 { fill: var(--c3); }
      .f4 { fill: var(--c4); } .f5 { fill: var(--c5); }
      .h0 { fill: var(--h0); } .h1 { fill: var(--h1); } .h2 { fill: var(--h2); } .h3 { fill: var(--h3); }
      .h4 { fill: var(--h4); } .h5 { fill: var(--h5); } .h6 { fill: var(--h6); } .h7 { fill: var(--h7); }
      .h8 { fill: var(--h8); }
      """;

  private final StringBuilder html = new StringBuilder();

  public HtmlPage(String title) {
    html.append("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>" + Svg.escape(title) + "</title>\n<style>\n" + STYLE + "</style>\n")
        .append("<h1>" + Svg.escape(title) + "</h1>\n");
  }

  public void heading(String text) {
    html.append("<h2>" + Svg.escape(text) + "</h2>\n");
  }

  public void paragraph(String text) {
    html.append("<p>" + Svg.escape(text) + "</p>\n");
  }

  /** The first row is the heading. */
  public void table(List<List<String>> rows) {
    html.append("<div class=\"wide\"><table>\n");
    for (int i = 0; i < rows.size(); i++) {
      String cell = i == 0 ? "th" : "td";
      html.append("<tr>");
      for (String text : rows.get(i)) {
        html.append("<%s>%s</%s>".formatted(cell, Svg.escape(text), cell));
      }
      html.append("</tr>\n");
    }
    html.append("</table></div>\n");
  }

  /** Pictures side by side, as many as there is room for. */
  public void pictures(List<String> svgs) {
    html.append("<div class=\"pictures\">\n" + String.join("", svgs) + "</div>\n");
  }

  /** A name and what it is, line by line. */
  public void facts(List<List<String>> pairs) {
    html.append("<dl>\n");
    pairs.forEach(
        pair ->
            html.append(
                "<dt>%s</dt><dd>%s</dd>\n"
                    .formatted(Svg.escape(pair.get(0)), Svg.escape(pair.get(1)))));
    html.append("</dl>\n");
  }

  /** The whole page. */
  public String text() {
    return html + "</html>\n";
  }
}
