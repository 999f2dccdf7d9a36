package hourglass.query.where;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import com.google.common.primitives.UnsignedLong;
import dev.cel.checker.CelStandardDeclarations;
import dev.cel.common.CelOptions;
import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.ErrorValue;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload.Binary;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.ConcatenatedListView;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import dev.cel.runtime.standard.IndexOperator.IndexOverload;
import hourglass.bytes.CodePoints;
import hourglass.query.filter.Automaton;
import hourglass.query.filter.Comparison;
import hourglass.query.filter.Effort;
import hourglass.query.filter.Numbers;
import hourglass.query.filter.Regexes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * CEL functions with bindings of our own: numbers compare exactly, texts by their code points, and
 * each call counts as {@link Effort}.
 */
@SuppressWarnings("Immutable") // the captured state never changes
final class OracleFunctions {
  /** A function that fails for an error. */
  static final String STRICT = "strict_";

  /** The library refuses some negative sums, and times that are more than 292 years apart. */
  private static final Set<String> SUMS =
      Set.of("add_duration_duration", "subtract_duration_duration", "subtract_timestamp_timestamp");

  private static final int CALL_STEPS = 4;

  private static final Set<StandardFunction> CONSTANT_TIME =
      Set.of(
          StandardFunction.LOGICAL_NOT,
          StandardFunction.NOT_STRICTLY_FALSE,
          StandardFunction.MULTIPLY,
          StandardFunction.DIVIDE,
          StandardFunction.MODULO,
          StandardFunction.NEGATE,
          StandardFunction.DYN);

  /** Functions whose cost does not depend on their arguments. */
  static final CelStandardFunctions KEPT =
      CelStandardFunctions.newBuilder()
          .filterFunctions((function, overload) -> CONSTANT_TIME.contains(function))
          .build();

  private static final Map<Comparison, StandardFunction> ORDERS =
      Map.of(
          Comparison.LESS, StandardFunction.LESS,
          Comparison.AT_MOST, StandardFunction.LESS_EQUALS,
          Comparison.GREATER, StandardFunction.GREATER,
          Comparison.AT_LEAST, StandardFunction.GREATER_EQUALS);

  private static final Set<StandardFunction> OURS =
      Set.of(
          StandardFunction.EQUALS,
          StandardFunction.NOT_EQUALS,
          StandardFunction.IN,
          StandardFunction.INDEX,
          StandardFunction.CONTAINS,
          StandardFunction.MATCHES,
          StandardFunction.BYTES);

  private final CelOptions options;
  private final RuntimeEquality library;
  private final OracleEquality equality;

  private OracleFunctions(CelOptions options) {
    this.options = options;
    library = RuntimeEquality.create(RuntimeHelpers.create(), options);
    equality = new OracleEquality(library);
  }

  static ImmutableSet<CelFunctionBinding> ours(CelOptions options) {
    OracleFunctions functions = new OracleFunctions(options);
    ImmutableSet.Builder<CelFunctionBinding> all = ImmutableSet.builder();
    Sets.difference(Set.of(StandardFunction.values()), Sets.union(CONSTANT_TIME, OURS)).stream()
        .filter(function -> !ORDERS.containsValue(function))
        .forEach(
            function ->
                add(
                    all,
                    name(function),
                    functions.library(function).map(OracleFunctions::counted)));
    ORDERS.forEach((order, of) -> add(all, name(of), functions.ordered(order, of)));
    functions.equalities(all);
    functions.lookups(all);
    add(
        all,
        "contains",
        Stream.of(two("contains_string", String.class, String.class, Automaton::contains)));
    add(
        all,
        "matches",
        Stream.of("matches", "matches_string")
            .map(id -> two(id, String.class, String.class, Regexes::matches)));
    add(
        all,
        WordsFunction.NAME,
        Stream.of(two("dyn_has_words", Object.class, String.class, OracleFunctions::hasWords)));
    add(
        all,
        "bytes",
        Stream.of(
            CelFunctionBinding.from("bytes_to_bytes", CelByteString.class, bytes -> bytes),
            CelFunctionBinding.from("string_to_bytes", String.class, OracleFunctions::bytes)));
    add(
        all,
        STRICT,
        Stream.of(CelFunctionBinding.from("strict_dyn", Object.class, OracleFunctions::strict)));
    return all.build();
  }

  private static Object strict(Object value) {
    if (value instanceof ErrorValue) {
      throw new IllegalArgumentException("an error");
    }
    return value;
  }

  private static String name(StandardFunction function) {
    return CelStandardDeclarations.StandardFunction.valueOf(function.name()).functionDecl().name();
  }

  /** The library's overloads, without the binding that chooses one of them. */
  private Stream<CelFunctionBinding> library(StandardFunction function) {
    return CelStandardFunctions.newBuilder()
        .includeFunctions(function)
        .build()
        .newFunctionBindings(library, options)
        .stream()
        .filter(binding -> !binding.getArgTypes().isEmpty())
        .map(binding -> SUMS.contains(binding.getOverloadId()) ? sum(binding) : binding);
  }

  @SuppressWarnings("unchecked")
  private static CelFunctionBinding sum(CelFunctionBinding binding) {
    boolean isPlus = binding.getOverloadId().startsWith("add_");
    return CelFunctionBinding.from(
        binding.getOverloadId(),
        (Class<Object>) binding.getArgTypes().get(0),
        (Class<Object>) binding.getArgTypes().get(1),
        (a, b) -> valid(isPlus ? Operators.plus(a, b) : Operators.minus(a, b)));
  }

  private static Object valid(Object value) {
    if (value == Special.ERROR) {
      throw new IllegalArgumentException("no value");
    }
    return value;
  }

  private static void add(
      ImmutableSet.Builder<CelFunctionBinding> all,
      String function,
      Stream<CelFunctionBinding> overloads) {
    all.addAll(CelFunctionBinding.fromOverloads(function, overloads.toList()));
  }

  private static <A, B> CelFunctionBinding two(
      String overload, Class<A> a, Class<B> b, Binary<A, B> function) {
    return CelFunctionBinding.from(overload, a, b, function);
  }

  private void equalities(ImmutableSet.Builder<CelFunctionBinding> all) {
    add(all, "_==_", Stream.of(two("equals", Object.class, Object.class, equality::equal)));
    add(
        all,
        "_!=_",
        Stream.of(two("not_equals", Object.class, Object.class, (a, b) -> !equality.equal(a, b))));
  }

  private void lookups(ImmutableSet.Builder<CelFunctionBinding> all) {
    add(
        all,
        "@in",
        Stream.of(
            two("in_list", Object.class, List.class, (value, list) -> equality.isIn(value, list)),
            two(
                "in_map",
                Object.class,
                Map.class,
                (key, map) -> OracleEquality.find(map, key) != null)));
    add(
        all,
        "_[_]",
        Stream.of(
            two("index_map", Map.class, Object.class, OracleFunctions::at),
            IndexOverload.INDEX_LIST.newFunctionBinding(options, library)));
  }

  private static Object at(Map<?, ?> map, Object key) {
    Object found = OracleEquality.find(map, key);
    if (found == null) {
      throw CelAttributeNotFoundException.forMissingMapKey("a key");
    }
    return found;
  }

  private static Object hasWords(Object value, String text) {
    return valid(WordsFunction.in(OracleVariables.ours(value), text));
  }

  private static Object bytes(String text) {
    Effort.current().make(text.length());
    return CelByteString.copyFromUtf8(text);
  }

  private Stream<CelFunctionBinding> ordered(Comparison order, StandardFunction function) {
    return library(function).map(binding -> ordered(order, binding));
  }

  private static CelFunctionBinding ordered(Comparison order, CelFunctionBinding binding) {
    Class<?> type = binding.getArgTypes().get(0);
    if (isNumber(type)) {
      return numbers(order, binding);
    }
    return counted(type == String.class ? texts(order, binding) : binding);
  }

  /** The library compares the halves of surrogate pairs; the specification, code points. */
  private static CelFunctionBinding texts(Comparison order, CelFunctionBinding binding) {
    return two(
        binding.getOverloadId(),
        String.class,
        String.class,
        (a, b) -> order.holds(CodePoints.compare(a, b)));
  }

  private static boolean isNumber(Class<?> type) {
    return type == Long.class || type == Double.class || type == UnsignedLong.class;
  }

  @SuppressWarnings("unchecked")
  private static CelFunctionBinding numbers(Comparison order, CelFunctionBinding binding) {
    return CelFunctionBinding.from(
        binding.getOverloadId(),
        (Class<Number>) binding.getArgTypes().get(0),
        (Class<Number>) binding.getArgTypes().get(1),
        (a, b) -> order.holds(Numbers.compare(a, b)));
  }

  /** The library dispatches bindings of one and of two arguments apart. */
  @SuppressWarnings("unchecked")
  private static CelFunctionBinding counted(CelFunctionBinding binding) {
    boolean grows = binding.getOverloadId().startsWith("add_");
    Class<Object> first = (Class<Object>) binding.getArgTypes().get(0);
    if (binding.getArgTypes().size() == 1) {
      return CelFunctionBinding.from(
          binding.getOverloadId(),
          first,
          a -> {
            Effort.current().spend(CALL_STEPS + size(a) / Effort.CHARACTERS_A_STEP);
            return binding.getDefinition().apply(new Object[] {a});
          });
    }
    return CelFunctionBinding.from(
        binding.getOverloadId(),
        first,
        (Class<Object>) binding.getArgTypes().get(1),
        (a, b) -> {
          long size = size(a) + size(b);
          Effort effort = Effort.current();
          effort.spend(CALL_STEPS + size / Effort.CHARACTERS_A_STEP);
          if (grows) {
            effort.make(size);
          }
          return binding.getDefinition().apply(new Object[] {a, b});
        });
  }

  private static long size(Object argument) {
    if (argument instanceof String text) {
      return text.length();
    }
    if (argument instanceof CelByteString bytes) {
      return bytes.size();
    }
    // A loop appends its results in place, at no cost.
    return argument instanceof List<?> list && !(argument instanceof ConcatenatedListView)
        ? list.size()
        : 0;
  }
}
