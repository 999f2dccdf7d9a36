package hourglass.query.where;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import hourglass.query.filter.Effort;
import hourglass.query.filter.Numbers;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The equality of CEL values. Numbers are compared by {@link Numbers} across kinds, also inside
 * lists and maps. Every comparison counts as {@link Effort}.
 */
final class Equality {
  private Equality() {}

  static boolean equal(Object a, Object b) {
    return equal(a, b, Effort.current());
  }

  private static boolean equal(Object a, Object b, Effort effort) {
    effort.spend(2);
    if (a instanceof Number x) {
      return b instanceof Number y && Numbers.compare(x, y) == 0;
    }
    if (a instanceof String x) {
      if (!(b instanceof String y) || x.length() != y.length()) {
        return false;
      }
      effort.spend(x.length() / Effort.CHARACTERS_A_STEP);
      return x.equals(y);
    }
    if (a instanceof CelByteString x) {
      effort.spend(x.size());
      return a.equals(b);
    }
    if (a instanceof List<?> x) {
      return b instanceof List<?> y && lists(x, y, effort);
    }
    if (a instanceof Map<?, ?> x) {
      return b instanceof Map<?, ?> y && maps(x, y, effort);
    }
    return a.equals(b);
  }

  private static boolean lists(List<?> a, List<?> b, Effort effort) {
    if (a.size() != b.size()) {
      return false;
    }
    Iterator<?> other = b.iterator();
    for (Object element : a) {
      if (!equal(element, other.next(), effort)) {
        return false;
      }
    }
    return true;
  }

  private static boolean maps(Map<?, ?> a, Map<?, ?> b, Effort effort) {
    if (a.size() != b.size()) {
      return false;
    }
    for (Map.Entry<?, ?> entry : a.entrySet()) {
      Object other = find(b, entry.getKey());
      if (other == null || !equal(entry.getValue(), other, effort)) {
        return false;
      }
    }
    return true;
  }

  static boolean isIn(Object value, List<?> list) {
    Effort effort = Effort.current();
    for (Object element : list) {
      if (equal(element, value, effort)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the value of a key; null if it is absent. A number finds an equal key of any kind. */
  static @Nullable Object find(Map<?, ?> map, Object key) {
    if (!(key instanceof Number number)) {
      // No other value is a key, and to look up a list would read all of it.
      return key instanceof String || key instanceof Boolean ? map.get(key) : null;
    }
    if (number instanceof Double fraction) {
      return Numbers.isWhole(fraction) ? find(map, Numbers.whole(fraction)) : null;
    }
    Object found = map.get(key);
    if (found != null || number.longValue() < 0) {
      return found; // Above 63 bits or below zero only one kind exists.
    }
    return map.get(
        number instanceof Long
            ? UnsignedLong.fromLongBits(number.longValue())
            : Long.valueOf(number.longValue()));
  }
}
