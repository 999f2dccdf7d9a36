package hourglass.ingest.protocols.otlp;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Requests of all shapes that the schema allows, in both encodings, and the payloads they make. */
final class RandomRequests {
  private static final long START_NANOS = 1_763_625_600_000_000_000L;
  private static final int LEVELS_MAX = 4;
  private static final String[] SEVERITIES = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"};
  private static final String[] TEXTS = {
    "",
    "plain",
    "with \"quotes\" and \\",
    "line\nbreak\ttab\u0001",
    "caf\u00e9",
    "\u2603 \ud83d\ude00",
    "a.b"
  };

  private final Random random;

  RandomRequests(Random random) {
    this.random = random;
  }

  /**
   * One request.
   *
   * @param payloads in the order of the records
   */
  record Sample(
      ExportLogsServiceRequest protobuf,
      String json,
      List<JsonObject> payloads,
      List<String> types) {}

  /** A value of a field in JSON; members are shuffled where an object is written. */
  private record Both<T>(T protobuf, Object json, Object payload) {}

  Sample next() {
    ExportLogsServiceRequest.Builder request = ExportLogsServiceRequest.newBuilder();
    List<JsonObject> payloads = new ArrayList<>();
    List<String> types = new ArrayList<>();
    JsonArray resources = new JsonArray();
    for (int i = random.nextInt(4); i > 0; i--) {
      resources.add(resource(request.addResourceLogsBuilder(), payloads, types));
    }
    JsonObject json = new JsonObject().put(name("resourceLogs"), resources);
    return new Sample(request.build(), json.encode(), payloads, types);
  }

  private String name(String camel) {
    return random.nextInt(5) == 0 ? JsonFieldName.snake(camel) : camel;
  }

  private Object resource(ResourceLogs.Builder to, List<JsonObject> payloads, List<String> types) {
    List<Object[]> members = new ArrayList<>();
    JsonObject resource = new JsonObject();
    String type = "unknown_service";
    if (random.nextInt(4) > 0) {
      JsonArray attributes = attributes(to.getResourceBuilder()::addAttributes, resource, 1);
      if (random.nextBoolean()) {
        type = "service-" + random.nextInt(3);
        KeyValue pair =
            KeyValue.newBuilder()
                .setKey("service.name")
                .setValue(AnyValue.newBuilder().setStringValue(type))
                .build();
        to.getResourceBuilder().addAttributes(pair);
        resource.put("service.name", type);
        attributes.add(
            new JsonObject()
                .put("key", "service.name")
                .put("value", new JsonObject().put("stringValue", type)));
      }
      members.add(
          new Object[] {
            "resource",
            new JsonObject().put("attributes", attributes).put("droppedAttributesCount", 0)
          });
    }
    JsonArray scopes = new JsonArray();
    for (int i = random.nextInt(3); i > 0; i--) {
      scopes.add(scope(to.addScopeLogsBuilder(), resource, type, payloads, types));
    }
    members.add(new Object[] {name("scopeLogs"), scopes});
    members.add(new Object[] {name("schemaUrl"), "https://example.org/1.0"});
    return shuffled(members);
  }

  private JsonObject shuffled(List<Object[]> members) {
    Collections.shuffle(members, random);
    JsonObject object = new JsonObject();
    members.forEach(member -> object.put((String) member[0], member[1]));
    return object;
  }

  private Object scope(
      ScopeLogs.Builder to,
      JsonObject resource,
      String type,
      List<JsonObject> payloads,
      List<String> types) {
    List<Object[]> members = new ArrayList<>();
    JsonObject scope = new JsonObject();
    if (random.nextInt(4) > 0) {
      InstrumentationScope.Builder builder = to.getScopeBuilder();
      JsonObject json = new JsonObject();
      if (random.nextBoolean()) {
        builder.setName("lib");
        json.put("name", "lib");
        scope.put("name", "lib");
      }
      JsonObject attributes = new JsonObject();
      json.put("attributes", attributes(builder::addAttributes, attributes, 1));
      if (!attributes.isEmpty()) {
        scope.put("attributes", attributes);
      }
      members.add(new Object[] {"scope", json});
    }
    JsonArray records = new JsonArray();
    for (int i = random.nextInt(4); i > 0; i--) {
      JsonObject payload = new JsonObject();
      records.add(record(to.addLogRecordsBuilder(), payload));
      if (!scope.isEmpty()) {
        payload.put("scope", scope);
      }
      if (!resource.isEmpty()) {
        payload.put("resource", resource);
      }
      payloads.add(payload);
      types.add(type);
    }
    members.add(new Object[] {name("logRecords"), records});
    return shuffled(members);
  }

  private JsonObject record(LogRecord.Builder to, JsonObject payload) {
    List<Object[]> members = new ArrayList<>();
    long nanos = START_NANOS + random.nextInt(1_000_000_000);
    to.setTimeUnixNano(nanos);
    members.add(
        new Object[] {
          name("timeUnixNano"), random.nextBoolean() ? (Object) nanos : Long.toString(nanos)
        });
    if (random.nextInt(4) > 0) {
      Both<AnyValue> body = value(1);
      to.setBody(body.protobuf);
      members.add(new Object[] {"body", body.json});
      payload.put("body", body.payload);
    }
    int severity = random.nextInt(25);
    boolean hasText = random.nextBoolean();
    to.setSeverityNumberValue(severity);
    members.add(new Object[] {name("severityNumber"), severity});
    if (hasText) {
      to.setSeverityText("Notice");
      members.add(new Object[] {name("severityText"), "Notice"});
      payload.put("severity", "Notice");
    } else if (severity > 0) {
      int step = (severity - 1) % 4 + 1;
      payload.put("severity", SEVERITIES[(severity - 1) / 4] + (step == 1 ? "" : step));
    }
    if (severity > 0) {
      payload.put("severity_number", severity);
    }
    if (random.nextBoolean()) {
      to.setEventName("e");
      members.add(new Object[] {name("eventName"), "e"});
      payload.put("event_name", "e");
    }
    if (random.nextBoolean()) {
      byte[] id = new byte[16];
      random.nextBytes(id);
      to.setTraceId(ByteString.copyFrom(id));
      String hex = HexFormat.of().formatHex(id);
      members.add(
          new Object[] {
            name("traceId"), random.nextBoolean() ? hex : hex.toUpperCase(Locale.ROOT)
          });
      payload.put("trace_id", hex);
    }
    JsonObject attributes = new JsonObject();
    members.add(new Object[] {"attributes", attributes(to::addAttributes, attributes, 2)});
    if (!attributes.isEmpty()) {
      payload.put("attributes", attributes);
    }
    members.add(new Object[] {"flags", 1});
    return shuffled(members);
  }

  private interface Pairs {
    Object add(KeyValue pair);
  }

  private JsonArray attributes(Pairs to, JsonObject payload, int level) {
    JsonArray json = new JsonArray();
    for (int i = random.nextInt(4); i > 0; i--) {
      String key = "k" + i + TEXTS[random.nextInt(TEXTS.length)];
      Both<AnyValue> value = value(level);
      to.add(KeyValue.newBuilder().setKey(key).setValue(value.protobuf).build());
      List<Object[]> members = new ArrayList<>();
      members.add(new Object[] {"key", key});
      members.add(new Object[] {"value", value.json});
      json.add(shuffled(members));
      payload.put(key, value.payload);
    }
    return json;
  }

  private Both<AnyValue> value(int level) {
    AnyValue.Builder to = AnyValue.newBuilder();
    JsonObject json = new JsonObject();
    Object payload;
    switch (random.nextInt(level < LEVELS_MAX ? 8 : 6)) {
      case 0 -> payload = null;
      case 1 -> {
        boolean flag = random.nextBoolean();
        to.setBoolValue(flag);
        json.put(name("boolValue"), flag);
        payload = flag;
      }
      case 2 -> {
        long number = random.nextBoolean() ? random.nextInt(100) : random.nextLong();
        to.setIntValue(number);
        json.put(name("intValue"), random.nextBoolean() ? (Object) number : Long.toString(number));
        payload = number;
      }
      case 3 -> {
        double number = random.nextInt(5) == 0 ? Double.NaN : random.nextGaussian() * 1e6;
        to.setDoubleValue(number);
        json.put(name("doubleValue"), Double.isNaN(number) ? "NaN" : number);
        payload = Double.isNaN(number) ? "NaN" : number;
      }
      case 4 -> {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        to.setBytesValue(ByteString.copyFrom(bytes));
        payload = Base64.getEncoder().encodeToString(bytes);
        json.put(name("bytesValue"), payload);
      }
      case 5 -> {
        String text = TEXTS[random.nextInt(TEXTS.length)];
        to.setStringValue(text);
        json.put(name("stringValue"), text);
        payload = text;
      }
      case 6 -> {
        JsonArray values = new JsonArray();
        JsonArray all = new JsonArray();
        to.getArrayValueBuilder();
        for (int i = random.nextInt(3); i > 0; i--) {
          Both<AnyValue> value = value(level + 1);
          to.getArrayValueBuilder().addValues(value.protobuf);
          values.add(value.json);
          all.add(value.payload);
        }
        json.put(name("arrayValue"), new JsonObject().put("values", values));
        payload = all;
      }
      default -> {
        JsonObject all = new JsonObject();
        JsonArray pairs = attributes(to.getKvlistValueBuilder()::addValues, all, level + 1);
        json.put(name("kvlistValue"), new JsonObject().put("values", pairs));
        payload = all;
      }
    }
    return new Both<>(to.build(), json, payload);
  }
}
