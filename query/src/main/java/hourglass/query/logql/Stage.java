package hourglass.query.logql;

import java.util.List;
import java.util.stream.Collectors;

/** A stage of a log pipeline. */
public sealed interface Stage {

  /** Whether the stage keeps or leaves out lines, and changes none. */
  default boolean isFilter() {
    return this instanceof LineFilter || this instanceof LabelFilter;
  }

  /** Keeps lines that contain one of the texts or, if negated, none of them. */
  record LineFilter(Operator operator, List<String> texts) implements Stage {
    /** The operators, with their signs. */
    public enum Operator {
      CONTAINS("|="),
      CONTAINS_NOT("!="),
      MATCHES("|~"),
      MATCHES_NOT("!~");

      private final String sign;

      Operator(String sign) {
        this.sign = sign;
      }

      public boolean isRegex() {
        return this == MATCHES || this == MATCHES_NOT;
      }

      public boolean isNegative() {
        return this == CONTAINS_NOT || this == MATCHES_NOT;
      }
    }

    public LineFilter {
      texts = List.copyOf(texts);
    }

    @Override
    public String toString() {
      return operator.sign
          + " "
          + texts.stream().map(Quoted::of).collect(Collectors.joining(" or "));
    }
  }

  /** Derives labels from the members of a line that is a JSON object. */
  record Json() implements Stage {
    @Override
    public String toString() {
      return "| json";
    }
  }

  /** Derives labels from a line such as {@code level=info ms=12}. */
  record Logfmt() implements Stage {
    @Override
    public String toString() {
      return "| logfmt";
    }
  }

  record LabelFilter(LabelTest test) implements Stage {
    @Override
    public String toString() {
      return "| " + test;
    }
  }

  /**
   * Replaces the line.
   *
   * @param parts texts and names of labels, alternately, beginning with a text
   */
  record LineFormat(List<String> parts, String template) implements Stage {
    public LineFormat {
      parts = List.copyOf(parts);
    }

    @Override
    public String toString() {
      return "| line_format " + Quoted.of(template);
    }
  }

  /** Removes some labels, or all others if {@code keeps}. */
  record Select(boolean keeps, List<String> names) implements Stage {
    public Select {
      names = List.copyOf(names);
    }

    @Override
    public String toString() {
      return (keeps ? "| keep " : "| drop ") + String.join(",", names);
    }
  }
}
