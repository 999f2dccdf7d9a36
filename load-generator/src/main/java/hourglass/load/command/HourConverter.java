package hourglass.load.command;

import hourglass.bucketing.Hour;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 2026-11-20T08}. */
public final class HourConverter implements ITypeConverter<Hour> {
  @Override
  public Hour convert(String text) {
    try {
      return Hour.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
