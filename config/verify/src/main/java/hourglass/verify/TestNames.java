package hourglass.verify;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/**
 * How people name a test.
 *
 * @param top the class that was found, in full; tests may be in classes inside it, and inherited
 * @param method null for a whole class
 */
record TestNames(String top, @Nullable String method) {
  /** Empty if the top is no class, as an engine of JUnit. */
  static Optional<TestNames> of(@Nullable TestSource top, @Nullable TestSource test) {
    String method = test instanceof MethodSource source ? source.getMethodName() : null;
    return top instanceof ClassSource source
        ? Optional.of(new TestNames(source.getClassName(), method))
        : Optional.empty();
  }

  /** The top class without its package. */
  String topName() {
    return top.substring(top.lastIndexOf('.') + 1);
  }

  /** As {@code --test} takes it. */
  String option() {
    return method == null ? topName() : topName() + "#" + method;
  }

  /** Whether {@code CLASS} or {@code CLASS#METHOD} wants this; a class that holds it is wanted. */
  boolean isWantedBy(String option) {
    int hash = option.indexOf('#');
    String wantedClass = hash < 0 ? option : option.substring(0, hash);
    boolean isClass = wantedClass.equals(topName()) || wantedClass.equals(top);
    return isClass && (hash < 0 || method == null || method.equals(option.substring(hash + 1)));
  }
}
