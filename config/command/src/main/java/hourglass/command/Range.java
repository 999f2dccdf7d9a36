package hourglass.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The range of an option: {@code "1 or more"}, {@code "0 to 1"}, {@code "1s to 1d"}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Range {
  /** The range in words, both ends included. It is shown in messages. */
  String value();
}
