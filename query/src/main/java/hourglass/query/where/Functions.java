package hourglass.query.where;

import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelOptions;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.ConcatenatedListView;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import dev.cel.runtime.standard.AddOperator.AddOverload;
import java.util.List;
import java.util.stream.Stream;

/**
 * Functions of the language that are bound to more than the library's code: {@code matches}
 * compiles an expression once and not at each call; what can make long texts and lists is counted.
 */
final class Functions {
  /** The library's, without those below. */
  static final CelStandardFunctions KEPT =
      CelStandardFunctions.newBuilder()
          .excludeFunctions(StandardFunction.MATCHES, StandardFunction.ADD, StandardFunction.BYTES)
          .build();

  private static final CelFunctionBinding[] MATCHES = {
    CelFunctionBinding.from("matches", String.class, String.class, Regexes::matches),
    CelFunctionBinding.from("matches_string", String.class, String.class, Regexes::matches)
  };

  private static final CelFunctionBinding[] BYTES = {
    CelFunctionBinding.from("bytes_to_bytes", CelByteString.class, bytes -> bytes),
    CelFunctionBinding.from("string_to_bytes", String.class, Functions::bytes)
  };

  private Functions() {}

  /** Ours, for a runtime with some options. */
  static ImmutableSet<CelFunctionBinding> ours(CelOptions options) {
    return ImmutableSet.<CelFunctionBinding>builder()
        .addAll(CelFunctionBinding.fromOverloads("matches", MATCHES))
        .addAll(CelFunctionBinding.fromOverloads("_+_", additions(options)))
        .addAll(CelFunctionBinding.fromOverloads("bytes", BYTES))
        .build();
  }

  /** Whether a function makes what {@link Growth} counts. */
  static boolean grows(String function) {
    return function.equals("_+_") || function.equals("bytes");
  }

  private static Object bytes(String text) {
    Growth.count(text.length());
    return CelByteString.copyFromUtf8(text);
  }

  private static List<CelFunctionBinding> additions(CelOptions options) {
    RuntimeEquality equality = RuntimeEquality.create(RuntimeHelpers.create(), options);
    return Stream.of(AddOverload.values())
        .map(overload -> counted(overload.newFunctionBinding(options, equality)))
        .toList();
  }

  /** Of two arguments, said so: what the library dispatches by kinds at run time must be. */
  @SuppressWarnings("unchecked")
  private static CelFunctionBinding counted(CelFunctionBinding binding) {
    return CelFunctionBinding.from(
        binding.getOverloadId(),
        (Class<Object>) binding.getArgTypes().get(0),
        (Class<Object>) binding.getArgTypes().get(1),
        (a, b) -> {
          Growth.count(size(a) + size(b));
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
    // What a loop collects is added to where it stands.
    return argument instanceof List<?> list && !(argument instanceof ConcatenatedListView)
        ? list.size()
        : 0;
  }
}
