package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import hourglass.bytes.JsonPath;
import hourglass.query.where.json.FieldTree;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A value that an expression names: a field as {@link hourglass.bytes.JsonPath} finds it, or a
 * member in it. Brackets always name a member.
 *
 * <pre>
 * data.a.b            the field a.b
 * data.a.b["c"].d     the member d of the member c of the field a.b
 * </pre>
 *
 * @param field names joined by dots; empty for the payload itself
 */
record Path(String field, List<String> members) {
  /**
   * The most keys of all fields. A field of ten levels has 55 possible keys, with which each key of
   * a payload is compared.
   */
  private static final int KEYS_MAX = 1 << 11;

  static final Path PAYLOAD = new Path("", List.of());

  static Optional<Path> of(CelExpr e) {
    return switch (e.exprKind().getKind()) {
      case IDENT ->
          Expressions.isNamed(e, EventValues.DATA) ? Optional.of(PAYLOAD) : Optional.empty();
      case SELECT ->
          e.select().testOnly()
              ? Optional.empty()
              : of(e.select().operand()).map(path -> path.select(e.select().field()));
      case CALL ->
          e.call().function().equals("_[_]")
              ? Expressions.text(e.call().args().get(1))
                  .flatMap(name -> of(e.call().args().get(0)).map(path -> path.member(name)))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Throws {@link WhereException} if the name of a field is too long. */
  static void checkNames(CelAbstractSyntaxTree checked) {
    Expressions.all(checked.getExpr())
        .filter(e -> Expressions.is(e, CelExpr.ExprKind.Kind.SELECT))
        .forEach(e -> checkName(checked, e));
  }

  private static void checkName(CelAbstractSyntaxTree checked, CelExpr e) {
    int length =
        of(e.select().operand())
            .map(object -> object.select(e.select().field()).field().length())
            .orElse(0);
    if (length > JsonPath.CHARS_MAX) {
      throw new WhereException(
          "%sa field name of %d characters, want at most %d"
              .formatted(Cel.position(checked, e), length, JsonPath.CHARS_MAX));
    }
  }

  boolean isField() {
    return members.isEmpty();
  }

  Path select(String name) {
    if (!isField()) {
      return member(name);
    }
    return new Path(field.isEmpty() ? name : field + '.' + name, members);
  }

  private Path member(String name) {
    return new Path(field, Stream.concat(members.stream(), Stream.of(name)).toList());
  }

  /**
   * Adds the path to the fields, and returns its number. Throws {@link WhereException} if the
   * fields have too many keys.
   */
  int in(FieldTree fields) {
    int number = fields.add(field, members);
    if (fields.keyCount() > KEYS_MAX) {
      throw new WhereException(
          "its fields may be %d keys of a payload, want at most %d: name fewer levels or fields"
              .formatted(fields.keyCount(), KEYS_MAX));
    }
    return number;
  }
}
