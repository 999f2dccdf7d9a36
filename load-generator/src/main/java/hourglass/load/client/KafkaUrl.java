package hourglass.load.client;

import java.net.URI;

/** A topic as {@code kafka://HOST:PORT/TOPIC}. */
record KafkaUrl(String bootstrapServers, String topic) {
  static final String SCHEME = "kafka";

  static boolean isOne(URI url) {
    return SCHEME.equals(url.getScheme());
  }

  /** Whether it names a broker and a topic. */
  static boolean isWhole(URI url) {
    return url.getHost() != null
        && url.getPort() > 0
        && url.getPath() != null
        && url.getPath().matches("/[a-zA-Z0-9._-]{1,249}");
  }

  static KafkaUrl of(URI url) {
    return new KafkaUrl(url.getHost() + ":" + url.getPort(), url.getPath().substring(1));
  }
}
