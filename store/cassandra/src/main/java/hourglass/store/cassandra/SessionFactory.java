package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.metrics.MetricIdGenerator;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import com.datastax.oss.driver.internal.core.ssl.DefaultSslEngineFactory;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.driver.DriverMetrics;
import hourglass.store.cassandra.driver.IdempotentRetries;
import io.micrometer.core.instrument.Counter;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class SessionFactory {
  /**
   * The most requests in addition to the first one; more would add load just when nodes are slow.
   */
  private static final int SPECULATIONS_MAX = 1;

  private static final Duration HEARTBEAT_EVERY = Duration.ofSeconds(5);

  private static final Duration RECONNECT_BASE = Duration.ofMillis(500);
  private static final Duration RECONNECT_MAX = Duration.ofSeconds(10);

  private static final Duration SCHEMA_WINDOW = Duration.ofMillis(10);

  private SessionFactory() {}

  static CqlSessionBuilder builder(CassandraOptions options, Counter retries) {
    CqlSessionBuilder builder =
        new OwnBuilder(retries).withConfigLoader(config(options)).withApplicationName("hourglass");
    options
        .contactPoints()
        .forEach(text -> builder.addContactPoint(OptionTexts.contactPoint(text)));
    if (options.datacenter() != null) {
      builder.withLocalDatacenter(options.datacenter());
    }
    if (options.username() != null && options.password() != null) {
      builder.withAuthCredentials(options.username(), options.password());
    }
    return builder;
  }

  private static DriverConfigLoader config(CassandraOptions options) {
    Duration timeout = options.requestTimeout();
    ProgrammaticDriverConfigLoaderBuilder config =
        DriverConfigLoader.programmaticBuilder()
            // V5 is the first version (Cassandra 4.0) whose requests contain the start of a TTL.
            .withString(DefaultDriverOption.PROTOCOL_VERSION, "V5")
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, timeout)
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, options.consistency())
            .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
            .withClass(
                DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                ConstantSpeculativeExecutionPolicy.class)
            .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, 1 + SPECULATIONS_MAX)
            .withDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, options.speculateAfter())
            .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, HEARTBEAT_EVERY)
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, RECONNECT_BASE)
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, RECONNECT_MAX)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, timeout)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, timeout)
            // The default of two seconds delays each close.
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            // The default of one second delays each change of the schema.
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, SCHEMA_WINDOW)
            .withStringList(
                DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES,
                List.of(options.keyspace()));
    if (options.datacenter() == null) {
      config.withClass(
          DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, DcInferringLoadBalancingPolicy.class);
    }
    if (options.tls()) {
      encrypt(config, options);
    }
    DriverMetrics.enable(config);
    return config.build();
  }

  private static void encrypt(
      ProgrammaticDriverConfigLoaderBuilder config, CassandraOptions options) {
    config
        .withClass(DefaultDriverOption.SSL_ENGINE_FACTORY_CLASS, DefaultSslEngineFactory.class)
        .withBoolean(DefaultDriverOption.SSL_HOSTNAME_VALIDATION, true);
    if (options.trustStore() != null) {
      requireReadable(options.trustStore(), options.trustStorePassword());
      config.withString(DefaultDriverOption.SSL_TRUSTSTORE_PATH, options.trustStore());
    }
    if (options.trustStorePassword() != null) {
      config.withString(DefaultDriverOption.SSL_TRUSTSTORE_PASSWORD, options.trustStorePassword());
    }
  }

  /**
   * Throws if the trust store cannot be read, since the driver's own error lacks the file and the
   * cause.
   */
  private static void requireReadable(String trustStore, @Nullable String password) {
    try {
      var unused =
          KeyStore.getInstance(
              new File(trustStore), password == null ? null : password.toCharArray());
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new UnavailableException(
          "the trust store " + trustStore + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Passes objects to the driver that it would otherwise create from class names. */
  private static final class OwnBuilder extends CqlSessionBuilder {
    private final Counter retries;

    OwnBuilder(Counter retries) {
      this.retries = retries;
    }

    @Override
    protected DriverContext buildContext(
        DriverConfigLoader loader, ProgrammaticArguments arguments) {
      return new DefaultDriverContext(loader, arguments) {
        @Override
        protected Map<String, RetryPolicy> buildRetryPolicies() {
          String profile = DriverExecutionProfile.DEFAULT_NAME;
          return Map.of(profile, new IdempotentRetries(this, profile, retries));
        }

        @Override
        protected MetricIdGenerator buildMetricIdGenerator() {
          return new DriverMetrics(getSessionName());
        }
      };
    }
  }
}
