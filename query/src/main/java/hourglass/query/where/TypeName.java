package hourglass.query.where;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The type of a value, which is itself a value. */
record TypeName(String name) {
  private static final TypeName BOOL = new TypeName("bool");
  private static final TypeName INT = new TypeName("int");
  private static final TypeName UINT = new TypeName("uint");
  private static final TypeName DOUBLE = new TypeName("double");
  private static final TypeName STRING = new TypeName("string");
  private static final TypeName BYTES = new TypeName("bytes");
  private static final TypeName TIMESTAMP = new TypeName("google.protobuf.Timestamp");
  private static final TypeName DURATION = new TypeName("google.protobuf.Duration");
  private static final TypeName LIST = new TypeName("list");
  private static final TypeName MAP = new TypeName("map");
  private static final TypeName NULL_TYPE = new TypeName("null_type");
  private static final TypeName TYPE = new TypeName("type");

  static TypeName of(Object value) {
    if (value instanceof String) {
      return STRING;
    }
    if (value instanceof Number) {
      return value instanceof Long ? INT : value instanceof UnsignedLong ? UINT : DOUBLE;
    }
    if (value instanceof Boolean) {
      return BOOL;
    }
    if (value instanceof Map) {
      return MAP;
    }
    if (value instanceof List) {
      return LIST;
    }
    if (value instanceof Instant) {
      return TIMESTAMP;
    }
    if (value instanceof Duration) {
      return DURATION;
    }
    return value instanceof CelByteString ? BYTES : value instanceof TypeName ? TYPE : NULL_TYPE;
  }
}
