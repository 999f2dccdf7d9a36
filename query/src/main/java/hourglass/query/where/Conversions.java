package hourglass.query.where;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import hourglass.query.filter.Effort;
import java.time.Duration;
import java.time.Instant;

/**
 * The conversions of CEL. A value that does not exist in the wanted kind is an error, or throws
 * IllegalArgumentException.
 */
final class Conversions {
  private static final double TWO_TO_63 = 0x1p63;
  private static final double TWO_TO_64 = 0x1p64;

  private Conversions() {}

  static Object toInt(Object value) {
    if (value instanceof Long) {
      return value;
    }
    if (value instanceof Double number) {
      boolean fits = number >= -TWO_TO_63 && number < TWO_TO_63;
      return fits ? (Object) number.longValue() : Special.ERROR;
    }
    if (value instanceof UnsignedLong number) {
      return number.longValue() < 0 ? Special.ERROR : number.longValue();
    }
    if (value instanceof String text) {
      return Long.valueOf(text);
    }
    return value instanceof Instant time ? time.getEpochSecond() : Special.ERROR;
  }

  static Object toUint(Object value) {
    if (value instanceof UnsignedLong) {
      return value;
    }
    if (value instanceof Long number) {
      return number < 0 ? Special.ERROR : UnsignedLong.fromLongBits(number);
    }
    if (value instanceof Double number) {
      boolean fits = number >= 0 && number < TWO_TO_64;
      return fits ? UnsignedLong.fromLongBits(bits(number)) : Special.ERROR;
    }
    return value instanceof String text ? UnsignedLong.valueOf(text) : Special.ERROR;
  }

  private static long bits(double number) {
    return number < TWO_TO_63 ? (long) number : (long) (number - TWO_TO_64);
  }

  static Object toDouble(Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    return value instanceof String text ? Double.valueOf(text) : Special.ERROR;
  }

  static Object toText(Object value) {
    if (value instanceof CelByteString bytes) {
      Effort.current().make(bytes.size());
      return bytes.isValidUtf8() ? bytes.toStringUtf8() : Special.ERROR;
    }
    if (value instanceof Duration duration) {
      return Times.text(duration);
    }
    boolean isWritten =
        value instanceof String
            || value instanceof Number
            || value instanceof Boolean
            || value instanceof Instant;
    return isWritten ? value.toString() : Special.ERROR;
  }

  static Object toBool(Object value) {
    if (!(value instanceof String text)) {
      return value instanceof Boolean ? value : Special.ERROR;
    }
    return switch (text) {
      case "true", "TRUE", "True", "t", "1" -> true;
      case "false", "FALSE", "False", "f", "0" -> false;
      default -> Special.ERROR;
    };
  }

  static Object toBytes(Object value) {
    if (value instanceof String text) {
      Effort.current().make(text.length());
      return CelByteString.copyFromUtf8(text);
    }
    return value instanceof CelByteString ? value : Special.ERROR;
  }
}
