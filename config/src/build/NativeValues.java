import java.io.File;
import java.lang.reflect.Field;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import net.openhft.chronicle.hash.VanillaGlobalMutableState;
import net.openhft.chronicle.values.Values;
import net.openhft.compiler.CachedCompiler;
import net.openhft.compiler.CompilerUtils;

/**
 * Compiles the class that Chronicle Map would otherwise write and compile when it opens its first
 * map, so that a Java runtime without {@code jdk.compiler} is enough.
 */
final class NativeValues {
  private NativeValues() {}

  /**
   * @param arguments the folder for sources, the folder for classes, and further sources
   */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    Field sources = CachedCompiler.class.getDeclaredField("sourceDir");
    sources.setAccessible(true);
    sources.set(CompilerUtils.CACHED_COMPILER, new File(arguments[0]));
    String name = Values.nativeClassFor(VanillaGlobalMutableState.class).getName();
    int exit =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--release",
                "17",
                "--limit-modules", // without jdk.compiler, which has a package of JavacTool's name
                "java.base,java.compiler,jdk.unsupported",
                "-nowarn",
                "-proc:none",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                arguments[1],
                Path.of(arguments[0], name.replace('.', '/') + ".java").toString(),
                arguments[2]);
    System.exit(exit);
  }
}
