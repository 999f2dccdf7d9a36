package hourglass.load.lab;

import hourglass.load.lab.ring.TokenAllocation;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code allocated}, {@code even}, {@code random}. */
final class TokensConverter implements ITypeConverter<TokenAllocation> {
  @Override
  public TokenAllocation convert(String text) {
    for (TokenAllocation each : TokenAllocation.values()) {
      if (label(each).equals(text)) {
        return each;
      }
    }
    throw new TypeConversionException("'" + text + "' is not allocated, even or random");
  }

  static String label(TokenAllocation tokens) {
    return tokens.name().toLowerCase(Locale.ROOT);
  }
}
