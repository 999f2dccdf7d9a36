package hourglass.config.cli;

import hourglass.config.settings.Settings;
import hourglass.config.settings.SettingsSources;
import hourglass.config.settings.StoreOptions;
import hourglass.query.QueryOptionsBuilder;
import hourglass.store.cassandra.CassandraOptionsBuilder;
import hourglass.store.embedded.EmbeddedOptionsBuilder;
import java.lang.reflect.RecordComponent;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@code hourglass serve} with other values of constants, so that a test need not wait for minutes
 * or write for a gigabyte. Such a value is an assignment as {@code constant.flushIdleMillis=50}.
 */
public final class TunedServe {
  /** What the name of a constant begins with, among settings. */
  public static final String CONSTANT = "constant.";

  private TunedServe() {}

  public static void main(String[] arguments) throws InterruptedException {
    Termination termination = Termination.install();
    List<String> assignments =
        Arrays.stream(arguments).filter(argument -> argument.contains("=")).toList();
    ServeCommand.serve(settings(assignments), Clock.systemUTC(), termination);
  }

  /** Returns the settings of some assignments, of which some may be of constants. */
  public static Settings settings(List<String> assignments) {
    Map<Boolean, List<String>> parts =
        assignments.stream().collect(Collectors.partitioningBy(each -> each.startsWith(CONSTANT)));
    Settings settings = Settings.load(new SettingsSources(null, Map.of(), parts.get(false)));
    for (String constant : parts.get(true)) {
      String[] pair = constant.substring(CONSTANT.length()).split("=");
      settings = with(settings, pair[0], Long.parseLong(pair[1]));
    }
    return settings;
  }

  private static Settings with(Settings settings, String name, long value) {
    if (name.equals("stallTimeoutMillis")) {
      return with(
          settings,
          "query",
          QueryOptionsBuilder.builder(settings.query()).stallTimeoutMillis(value).build());
    }
    StoreOptions tuned =
        settings.store() instanceof StoreOptions.Embedded embedded
            ? embedded(EmbeddedOptionsBuilder.builder(embedded.options()), name, value)
            : cassandra(
                CassandraOptionsBuilder.builder(
                    ((StoreOptions.Cassandra) settings.store()).options()),
                name,
                value);
    return with(settings, "store", tuned);
  }

  private static StoreOptions embedded(EmbeddedOptionsBuilder options, String name, long value) {
    switch (name) {
      case "segmentBytes" -> options.segmentBytes(Math.toIntExact(value));
      case "flushIdleMillis" -> options.flushIdle(Duration.ofMillis(value));
      case "flushAgeMillis" -> options.flushAge(Duration.ofMillis(value));
      case "sealAfterMillis" -> options.sealAfter(Duration.ofMillis(value));
      default -> throw new IllegalArgumentException(name);
    }
    return new StoreOptions.Embedded(options.build());
  }

  private static StoreOptions cassandra(CassandraOptionsBuilder options, String name, long value) {
    switch (name) {
      case "trustForMillis" -> options.trustFor(Duration.ofMillis(value));
      case "sealAfterMillis" -> options.sealAfter(Duration.ofMillis(value));
      case "replaceGraceMillis" -> options.replaceGrace(Duration.ofMillis(value));
      default -> throw new IllegalArgumentException(name);
    }
    return new StoreOptions.Cassandra(options.build());
  }

  /** Returns the settings with another value of a component. */
  private static Settings with(Settings settings, String component, Object value) {
    try {
      RecordComponent[] components = Settings.class.getRecordComponents();
      Object[] values = new Object[components.length];
      for (int i = 0; i < values.length; i++) {
        boolean isOther = components[i].getName().equals(component);
        values[i] = isOther ? value : components[i].getAccessor().invoke(settings);
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return Settings.class.getConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
