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
 * The functions and their types: those of the library and {@link WordsFunction}, except for the
 * index operator. The library gives {@code data['a']} the type of the other operand, so {@code
 * data['a'] > 5} would be an error for 7.5.
 */
final class Declarations {
  static final CelStandardDeclarations KEPT =
      CelStandardDeclarations.newBuilder().excludeFunctions(StandardFunction.INDEX).build();

  private static final TypeParamType KEY = TypeParamType.create("K");
  private static final TypeParamType ELEMENT = TypeParamType.create("E");

  static final CelFunctionDecl INDEX =
      CelFunctionDecl.newFunctionDeclaration(
          "_[_]",
          CelOverloadDecl.newGlobalOverload(
              "index_list", SimpleType.DYN, ListType.create(ELEMENT), SimpleType.INT),
          CelOverloadDecl.newGlobalOverload(
              "index_map", SimpleType.DYN, MapType.create(KEY, ELEMENT), KEY));

  static final CelFunctionDecl HAS_WORDS =
      CelFunctionDecl.newFunctionDeclaration(
          WordsFunction.NAME,
          CelOverloadDecl.newMemberOverload(
              "dyn_has_words", SimpleType.BOOL, SimpleType.DYN, SimpleType.STRING));

  private Declarations() {}
}
