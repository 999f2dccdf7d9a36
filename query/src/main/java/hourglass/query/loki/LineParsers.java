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

/** The stages that make labels of a line. */
final class LineParsers {
  /** Of a line; others are left out, unless they are read from columns as well. */
  private static final int LABELS_MAX = 1_000;

  /** Characters of a name; longer ones are left out likewise. */
  private static final int NAME_MAX = 1_024;

  private static final int STEPS_A_BYTE = 2;
  private static final int STEPS_A_LABEL = 32;

  private LineParsers() {}

  /**
   * Members of objects are joined by underscores; lists are left out. Of equal names the last
   * counts. A line that is no object has an error as its label. All names without an underscore are
   * labels, as {@link ColumnTests} expects.
   */
  static void json(LogLine line) {
    Effort.current().spend((long) STEPS_A_BYTE * line.size());
    if (line.isJson()) {
      checked(line, new Members(line));
    } else {
      text(line, new Members(line));
    }
  }

  /** Reads a line that was found to be JSON when it was stored. */
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

  /** Makes labels of the members of an object, and of objects in it. */
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

    /** The value is an object; false if that is passed over. */
    boolean open() {
      if (name.length() > NAME_MAX) {
        return false;
      }
      outer.push(prefix);
      prefix = name;
      return true;
    }

    /** False for the object around all. */
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

  /** Pairs such as {@code level=info path="/a b"}; other words are left out. */
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

  /** Appends the value that begins at a place; returns its end. */
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
