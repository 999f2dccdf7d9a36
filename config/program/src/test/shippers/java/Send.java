import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import com.github.loki4j.logback.Loki4jAppender;
import com.internetitem.logback.elasticsearch.ElasticsearchAppender;
import com.internetitem.logback.elasticsearch.config.ElasticsearchProperties;
import com.internetitem.logback.elasticsearch.config.Property;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.resources.Resource;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.HttpHost;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.appender.SyslogAppender;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;
import org.slf4j.LoggerFactory;

/**
 * As send.mjs, for clients in Java.
 *
 * <pre>
 * java -cp CLASSPATH Send.java COUNT FIRST GAP_MILLIS RUN NAME=URL...
 * </pre>
 */
public class Send {
  private static final LoggerContext LOGBACK = (LoggerContext) LoggerFactory.getILoggerFactory();

  private static final CountDownLatch more = new CountDownLatch(1);

  /** What happens meanwhile, while a program would go on. */
  private static final CountDownLatch over = new CountDownLatch(1);

  private static int count;
  private static int first;
  private static int gapMillis;

  private interface Sender {
    void send(String url, String name) throws Exception;
  }

  private interface Message {
    void send(int number, String text) throws Exception;
  }

  private static final Map<String, Sender> SENDERS =
      Map.of(
          "elasticsearch-java", Send::elasticsearch,
          "opensearch-java", Send::openSearch,
          "logback-elasticsearch", Send::logbackElasticsearch,
          "loki4j", Send::loki4j,
          "opentelemetry-java", Send::openTelemetry,
          "opentelemetry-agent", Send::javaUtilLogging,
          "log4j2-syslog", Send::log4jSyslog);

  public static void main(String[] args) throws Exception {
    count = Integer.parseInt(args[0]);
    first = Integer.parseInt(args[1]);
    gapMillis = Integer.parseInt(args[2]);
    System.out.println("ready");
    Thread reader = new Thread(Send::awaitMore);
    reader.setDaemon(true);
    reader.start();
    List<Thread> threads = new ArrayList<>();
    for (String client : List.of(args).subList(4, args.length)) {
      String[] parts = client.split("=", 2);
      Thread thread = new Thread(() -> send(parts[0], parts[1], parts[0] + "-" + args[3]));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.exit(0);
  }

  private static void awaitMore() {
    try {
      System.in.read();
      more.countDown();
      System.in.read();
      over.countDown();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void send(String client, String url, String name) {
    try {
      SENDERS.get(client).send(url, name);
      System.out.println(client + " done");
    } catch (Exception | LinkageError e) {
      System.out.println(client + " failed: " + e.toString().replace('\n', ' '));
    }
  }

  private static void forEach(Message message) throws Exception {
    for (int number = 1; number <= count; number++) {
      if (number == first + 1) {
        more.await();
      }
      message.send(number, "hello event %06d".formatted(number));
      Thread.sleep(gapMillis);
    }
    System.out.println("made");
  }

  private static void elasticsearch(String url, String name) throws Exception {
    List<Throwable> failures = new ArrayList<>();
    try (ElasticsearchClient client = ElasticsearchClient.of(b -> b.host(url))) {
      client.info();
      try (BulkIngester<Void> ingester =
          BulkIngester.of(
              b ->
                  b.client(client)
                      .maxOperations(20)
                      .flushInterval(100, TimeUnit.MILLISECONDS)
                      .listener(
                          new co.elastic.clients.elasticsearch._helpers.bulk.BulkListener<Void>() {
                            @Override
                            public void beforeBulk(
                                long id,
                                co.elastic.clients.elasticsearch.core.BulkRequest request,
                                List<Void> contexts) {}

                            @Override
                            public void afterBulk(
                                long id,
                                co.elastic.clients.elasticsearch.core.BulkRequest request,
                                List<Void> contexts,
                                co.elastic.clients.elasticsearch.core.BulkResponse response) {
                              if (response.errors()) {
                                failures.add(new IllegalStateException(response.toString()));
                              }
                            }

                            @Override
                            public void afterBulk(
                                long id,
                                co.elastic.clients.elasticsearch.core.BulkRequest request,
                                List<Void> contexts,
                                Throwable failure) {
                              failures.add(failure);
                            }
                          }))) {
        forEach(
            (number, text) -> {
              Map<String, Object> document =
                  Map.of("@timestamp", Instant.now().toString(), "message", text, "number", number);
              ingester.add(o -> o.create(c -> c.index(name).document(document)));
            });
      }
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException(failures.toString());
    }
  }

  /** Its bulk helper does not tell what failed, unless it is asked; the trial reads what came. */
  private static void openSearch(String url, String name) throws Exception {
    var transport = ApacheHttpClient5TransportBuilder.builder(HttpHost.create(url)).build();
    OpenSearchClient client = new OpenSearchClient(transport);
    client.info();
    try (transport;
        var ingester =
            org.opensearch.client.opensearch._helpers.bulk.BulkIngester.of(
                b ->
                    b.client(client).maxOperations(20).flushInterval(100, TimeUnit.MILLISECONDS))) {
      forEach(
          (number, text) -> {
            Map<String, Object> document =
                Map.of("@timestamp", Instant.now().toString(), "message", text, "number", number);
            ingester.add(o -> o.create(c -> c.index(name).document(document)));
          });
    }
  }

  private static void logbackElasticsearch(String url, String name) throws Exception {
    ElasticsearchAppender appender = new ElasticsearchAppender();
    appender.setContext(LOGBACK);
    appender.setUrl(url + "/_bulk");
    appender.setIndex(name);
    appender.setSleepTime(100);
    appender.setMaxRetries(Integer.MAX_VALUE);
    appender.setErrorsToStderr(false);
    ElasticsearchProperties properties = new ElasticsearchProperties();
    properties.addProperty(new Property("severity", "%level", false));
    appender.setProperties(properties);
    appender.start();
    Logger logger = LOGBACK.getLogger(name);
    logger.setAdditive(false); // nothing of it is for the console
    logger.addAppender(appender);
    forEach((number, text) -> logger.info(text));
    over.await();
    Thread.sleep(2_000); // it has no means to wait for its end
    appender.stop();
  }

  private static void loki4j(String url, String name) throws Exception {
    Loki4jAppender appender = new Loki4jAppender();
    appender.setContext(LOGBACK);
    appender.setLabels("app=" + name);
    var http = new com.github.loki4j.logback.PipelineConfigAppenderBase.HttpCfg();
    http.setUrl(url + "/loki/api/v1/push");
    http.setMaxRetries(1_000);
    http.setMaxRetryBackoffMs(1_000);
    appender.setHttp(http);
    var batch = new com.github.loki4j.logback.PipelineConfigAppenderBase.BatchCfg();
    batch.setTimeoutMs(200);
    appender.setBatch(batch);
    appender.start();
    Logger logger = LOGBACK.getLogger(name);
    logger.setAdditive(false); // nothing of it is for the console
    logger.addAppender(appender);
    forEach((number, text) -> logger.info(text));
    over.await();
    appender.stop();
  }

  private static void openTelemetry(String url, String name) throws Exception {
    OtlpHttpLogRecordExporter exporter =
        OtlpHttpLogRecordExporter.builder().setEndpoint(url + "/v1/logs").build();
    try (SdkLoggerProvider provider =
        SdkLoggerProvider.builder()
            .setResource(
                Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), name)))
            .addLogRecordProcessor(
                BatchLogRecordProcessor.builder(exporter)
                    .setScheduleDelay(Duration.ofMillis(100))
                    .setMaxQueueSize(100_000)
                    .build())
            .build()) {
      var logger = provider.get("trial");
      forEach(
          (number, text) ->
              logger
                  .logRecordBuilder()
                  .setSeverity(Severity.INFO)
                  .setSeverityText("INFO")
                  .setBody(text)
                  .setAttribute(AttributeKey.longKey("number"), (long) number)
                  .emit());
    }
  }

  /** The agent in this process sends what is logged, and its own metrics. */
  private static void javaUtilLogging(String url, String name) throws Exception {
    var logger = java.util.logging.Logger.getLogger(name);
    logger.setUseParentHandlers(false); // nothing of it is for the console
    forEach((number, text) -> logger.info(text));
  }

  private static void log4jSyslog(String url, String name) throws Exception {
    URI address = URI.create(url);
    ConfigurationBuilder<?> builder = ConfigurationBuilderFactory.newConfigurationBuilder();
    builder.add(
        builder
            .newAppender("syslog", "Syslog")
            .addAttribute("host", address.getHost())
            .addAttribute("port", address.getPort())
            .addAttribute("protocol", "TCP")
            .addAttribute("format", "RFC5424")
            .addAttribute("appName", name)
            .addAttribute("newLine", true)
            .addAttribute("facility", "LOCAL0"));
    builder.add(builder.newRootLogger(Level.INFO).add(builder.newAppenderRef("syslog")));
    // Its own context: the HTTP client of another one has configured the common one by now.
    var context = new org.apache.logging.log4j.core.LoggerContext(name);
    context.start(builder.build());
    var logger = context.getLogger(name);
    forEach((number, text) -> logger.info(text));
    context.stop();
  }
}
