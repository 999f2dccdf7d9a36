package hourglass.config;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A reader can hold a class, and a package, in mind. */
class SizesTest {
  private static final int FIELDS_MAX = 12;
  private static final int CLASSES_A_PACKAGE_MAX = 40;

  private static JavaClasses program;

  @BeforeAll
  static void read() {
    program =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("hourglass");
  }

  /** Options are records, and have as many as there are; so have their builders. */
  @Test
  void aClassHasAtMostTwelveFields() {
    assertThat(
            program.stream()
                .filter(each -> !each.isRecord() && !each.getSimpleName().endsWith("Builder"))
                .filter(each -> fields(each).count() > FIELDS_MAX)
                .map(each -> each.getName() + ": " + fields(each).count()))
        .isEmpty();
  }

  private static Stream<JavaField> fields(JavaClass of) {
    return of.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC));
  }

  @Test
  void aPackageHasAtMostFortyClasses() {
    Map<String, Long> sizes = topLevel().collect(groupingBy(JavaClass::getPackageName, counting()));
    sizes.values().removeIf(size -> size <= CLASSES_A_PACKAGE_MAX);
    assertThat(sizes).isEmpty();
  }

  @Test
  void noTwoClassesHaveTheSameName() {
    Map<String, List<JavaClass>> named = topLevel().collect(groupingBy(JavaClass::getSimpleName));
    named.values().removeIf(all -> all.size() == 1);
    assertThat(named).isEmpty();
  }

  private static Stream<JavaClass> topLevel() {
    Predicate<JavaClass> isNamed = each -> !each.getSimpleName().equals("package-info");
    return program.stream().filter(JavaClass::isTopLevelClass).filter(isNamed);
  }
}
