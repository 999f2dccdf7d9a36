package hourglass.query.where;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;

/**
 * The types of the language's functions, as expressions are checked against them. They are the
 * library's, but for those of {@code data['a']}: there it takes the kind of what is compared with
 * for the field's, so that {@code data['a'] > 5} would be an error for 7.5.
 */
final class Declarations {
  /** The library's, without those below. */
  static final CelStandardDeclarations KEPT =
      CelStandardDeclarations.newBuilder().excludeFunctions(StandardFunction.INDEX).build();

  private static final TypeParamType KEY = TypeParamType.create("K");
  private static final TypeParamType ELEMENT = TypeParamType.create("E");

  /** What is found by an index or a name may be of any kind, as what {@code data.a} finds. */
  static final CelFunctionDecl INDEX =
      CelFunctionDecl.newFunctionDeclaration(
          "_[_]",
          CelOverloadDecl.newGlobalOverload(
              "index_list", SimpleType.DYN, ListType.create(ELEMENT), SimpleType.INT),
          CelOverloadDecl.newGlobalOverload(
              "index_map", SimpleType.DYN, MapType.create(KEY, ELEMENT), KEY));

  private Declarations() {}
}
