package hourglass.query.loki;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bytes.Json;
import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;
import hourglass.query.filter.Effort;
import hourglass.query.line.LineParts;
import hourglass.query.line.StreamLabels;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** The stages that derive labels from a line. */
final class LineParsers {
  /** The most labels of a line. Others are left out, unless they can also be read from columns. */
  private static final int LABELS_MAX = 1_000;

  /** The most characters of a name. Labels with longer names are left out in the same way. */
  private static final int NAME_MAX = 1_024;

  private static final int STEPS_A_BYTE = 2;
  private static final int STEPS_A_LABEL = 32;

  private LineParsers() {}

  /**
   * Derives labels from a JSON object. The names of nested members are joined by underscores; lists
   * are left out. If names are equal, the last one counts. A line that is not an object receives an
   * error as its label. All names without an underscore become labels, as {@link LogCondition}
   * expects.
   */
  static void json(LogLine line) {
    Effort.current().spend((long) STEPS_A_BYTE * line.size());
    if (line.isJson()) {
      checked(line, new Members(line));
    } else {
      text(line, new Members(line));
    }
  }

  /** Reads a line that is known to be JSON since it was stored. */
  private static void checked(LogLine line, Members members) {
    byte[] json = line.bytes();
    int to = line.plainTo();
    int at = JsonScan.skipSpace(json, line.plainFrom(), to);
    if (at == to || json[at] != '{') {
      line.fail("JSONParserErr");
      return;
    }
    at = JsonScan.skipSpace(json, at + 1, to);
    while (true) {
      if (json[at] == '}') {
        if (!members.close()) {
          return;
        }
        at = JsonScan.next(json, at + 1, to);
        continue;
      }
      int keyEnd = JsonScan.skipString(json, at, to);
      members.begin(JsonString.decode(json, at + 1, keyEnd - 1));
      int value = JsonScan.valueAfter(json, keyEnd, to);
      if (json[value] == '{' && members.open()) {
        at = JsonScan.skipSpace(json, value + 1, to);
        continue;
      }
      int end = JsonScan.skipValue(json, value, to);
      if ("{[n".indexOf(json[value]) < 0) {
        members.end(LineParts.scalar(json, value, end));
      }
      at = JsonScan.next(json, end, to);
    }
  }

  private static void text(LogLine line, Members members) {
    try (JsonParser parser = Json.parser(line.text())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        line.fail("JSONParserErr");
        return;
      }
      object(parser, members);
      if (parser.nextToken() != null) {
        line.fail("JSONParserErr");
      }
    } catch (IOException e) {
      line.fail("JSONParserErr");
    }
  }

  private static void object(JsonParser parser, Members members) throws IOException {
    while (true) {
      switch (parser.nextToken()) {
        case FIELD_NAME -> members.begin(parser.currentName());
        case START_OBJECT -> {
          if (!members.open()) {
            parser.skipChildren();
          }
        }
        case END_OBJECT -> {
          if (!members.close()) {
            return;
          }
        }
        case START_ARRAY -> parser.skipChildren();
        case VALUE_NULL -> {}
        default -> members.end(parser.getText());
      }
    }
  }

  /** Derives labels from the members of an object, and of objects in it. */
  private static final class Members {
    private final LogLine line;
    private final Effort effort = Effort.current();
    private final Deque<String> outer = new ArrayDeque<>();
    private String prefix = "";
    private String name = "";
    private int count;

    Members(LogLine line) {
      this.line = line;
    }

    void begin(String key) {
      name = outer.isEmpty() ? StreamLabels.name(key) : prefix + "_" + StreamLabels.name(key);
    }

    /** Begins an object that is the value. Returns false if it is left out. */
    boolean open() {
      if (name.length() > NAME_MAX) {
        return false;
      }
      outer.push(prefix);
      prefix = name;
      return true;
    }

    /** Ends an object. Returns false if it is the outermost one. */
    boolean close() {
      if (outer.isEmpty()) {
        return false;
      }
      prefix = outer.pop();
      return true;
    }

    void end(String value) {
      boolean isOfColumn = name.indexOf('_') < 0;
      if (isOfColumn || name.length() <= NAME_MAX && ++count <= LABELS_MAX) {
        effort.spend(STEPS_A_LABEL);
        line.parse(name, value);
      }
    }
  }

  /** Derives labels from pairs such as {@code level=info path="/a b"}; other words are left out. */
  static void logfmt(LogLine line) {
    String text = line.text();
    Effort.current().spend((long) STEPS_A_BYTE * text.length());
    int count = 0;
    int at = 0;
    while (at < text.length()) {
      int from = at;
      while (at < text.length() && text.charAt(at) > ' ' && text.charAt(at) != '=') {
        at++;
      }
      int keyEnd = at;
      if (at == text.length() || text.charAt(at) != '=') {
        at++;
        continue;
      }
      StringBuilder value = new StringBuilder();
      at = logfmtValue(text, at + 1, value);
      if (keyEnd > from && keyEnd - from <= NAME_MAX && ++count <= LABELS_MAX) {
        line.parse(StreamLabels.name(text.substring(from, keyEnd)), value.toString());
      }
    }
  }

  /** Appends the value that begins at {@code from}, and returns its end. */
  private static int logfmtValue(String text, int from, StringBuilder value) {
    int at = from;
    if (at < text.length() && text.charAt(at) == '"') {
      at++;
      while (at < text.length() && text.charAt(at) != '"') {
        char c = text.charAt(at++);
        if (c == '\\' && at < text.length()) {
          char escaped = text.charAt(at++);
          c = escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
        }
        value.append(c);
      }
      return at + 1;
    }
    while (at < text.length() && text.charAt(at) > ' ') {
      value.append(text.charAt(at++));
    }
    return at;
  }
}
