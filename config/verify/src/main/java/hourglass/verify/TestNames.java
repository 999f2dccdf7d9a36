package hourglass.verify;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/**
 * The name of a test as people write it.
 *
 * @param top the full name of the class that was found; tests may be in nested classes, or
 *     inherited
 * @param method null for a whole class
 */
record TestNames(String top, @Nullable String method) {
  /** Returns the names of a test. Empty if the top is not a class, such as an engine of JUnit. */
  static Optional<TestNames> of(@Nullable TestSource top, @Nullable TestSource test) {
    String method = test instanceof MethodSource source ? source.getMethodName() : null;
    return top instanceof ClassSource source
        ? Optional.of(new TestNames(source.getClassName(), method))
        : Optional.empty();
  }

  /** Returns the name of the top class without its package. */
  String topName() {
    return top.substring(top.lastIndexOf('.') + 1);
  }

  /** Returns the name in the form that {@code --test} accepts. */
  String option() {
    return method == null ? topName() : topName() + "#" + method;
  }

  /**
   * Returns whether {@code CLASS} or {@code CLASS#METHOD} selects this test. A class that contains
   * a selected method is selected too.
   */
  boolean isWantedBy(String option) {
    int hash = option.indexOf('#');
    String wantedClass = hash < 0 ? option : option.substring(0, hash);
    boolean isClass = wantedClass.equals(topName()) || wantedClass.equals(top);
    return isClass && (hash < 0 || method == null || method.equals(option.substring(hash + 1)));
  }
}
