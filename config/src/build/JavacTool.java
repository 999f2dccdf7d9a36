package com.sun.tools.javac.api;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Set;
import javax.lang.model.SourceVersion;
import javax.tools.DiagnosticListener;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;

/**
 * Takes the place of the JDK's compiler where the Java runtime has none. Chronicle Map asks for one
 * by this name and never uses it, since the distribution has the only class that it would compile.
 */
public final class JavacTool implements JavaCompiler {
  private JavacTool() {}

  public static JavacTool create() {
    return new JavacTool();
  }

  @Override
  public StandardJavaFileManager getStandardFileManager(
      DiagnosticListener<? super JavaFileObject> listener, Locale locale, Charset charset) {
    return null;
  }

  @Override
  public CompilationTask getTask(
      Writer out,
      JavaFileManager files,
      DiagnosticListener<? super JavaFileObject> listener,
      Iterable<String> options,
      Iterable<String> classes,
      Iterable<? extends JavaFileObject> units) {
    throw missing();
  }

  @Override
  public int run(InputStream in, OutputStream out, OutputStream err, String... arguments) {
    throw missing();
  }

  @Override
  public int isSupportedOption(String option) {
    return -1;
  }

  @Override
  public Set<SourceVersion> getSourceVersions() {
    return Set.of();
  }

  private static UnsupportedOperationException missing() {
    return new UnsupportedOperationException("this Java runtime lacks the module jdk.compiler");
  }
}
