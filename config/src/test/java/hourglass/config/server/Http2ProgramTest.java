package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.server.RawHttp2.End;
import hourglass.config.server.RawHttp2.Stream;
import hourglass.config.settings.Settings;
import hourglass.config.settings.SettingsSources;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pushes and queries of the whole program over one connection of HTTP/2. */
class Http2ProgramTest {
  private static final String EVENT =
      "{\"type\":\"t\",\"time\":\"2026-11-20T08:00:00Z\",\"n\":%d}\n";
  private static final String ALL = "/api/v1/events?hour=2026-11-20T08&limit=all&format=ndjson";
  private static final int EVENTS = 20_000;

  @TempDir private Path folder;

  @Test
  void factsOfAStreamAreInTrailers() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.conf"), "");
    List<String> assignments =
        List.of("http.port=0", "store.embedded.dir=" + folder.resolve("data"));
    Settings settings = Settings.load(new SettingsSources(empty, Map.of(), assignments));
    try (Hourglass program = Hourglass.start(settings, Clock.systemUTC());
        RawHttp2 client =
            new RawHttp2(
                URI.create(program.address()), "127.0.0.1", Http2Settings.defaultSettings())) {
      assertThat(push(client).body()).contains("\"accepted\":" + EVENTS);

      End all = client.end(client.send(RawHttp2.get(ALL), true));
      assertThat(all.isClean()).isTrue();
      assertThat(all.body().lines()).hasSize(EVENTS);
      assertThat(all.heads()).hasSize(2);
      Http2Headers trailers = all.heads().get(1);
      assertThat(trailers.get("hourglass-complete")).hasToString("true");

      String metrics = client.end(client.send(RawHttp2.get("/metrics"), true)).body();
      assertThat(metrics)
          .contains("hourglass_query_seconds_count{endpoint=\"events\",outcome=\"ok\"} 1");

      Http2Headers large = json().add("content-length", "99999999");
      Stream refused = client.send(large, false);
      End end = client.end(refused);
      assertThat(end.status()).isEqualTo("413");
      assertThat(end.heads().get(0).contains("connection")).isFalse();
      assertThat(push(client).status()).as("behind a refused body").isEqualTo("200");
    }
  }

  private static Http2Headers json() {
    return RawHttp2.post("/api/v1/events").add("content-type", "application/x-ndjson");
  }

  private static End push(RawHttp2 client) throws Exception {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < EVENTS; i++) {
      body.append(EVENT.formatted(i));
    }
    Stream stream = client.send(json(), false);
    client.send(stream, body.toString(), true);
    return client.end(stream);
  }
}
