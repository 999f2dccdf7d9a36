package hourglass.program.http;

import static hourglass.program.http.OddBodies.flipped;
import static hourglass.program.http.OddBodies.gzip;
import static hourglass.program.http.OddBodies.head;
import static hourglass.program.http.OddBodies.longWindow;
import static hourglass.program.http.OddBodies.noise;
import static hourglass.program.http.OddBodies.repeat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Bodies that are not packed as they say, or are too large, each with its status and a part of the
 * reason. A quote is written as an apostrophe.
 */
final class BadEncodings {
  private static final String TOO_LARGE = "body: more than 65536 bytes, unpacked; send it in parts";

  private BadEncodings() {}

  static Stream<Arguments> all() throws IOException {
    byte[] event = BadInputIT.quoted("{'type':'b','time':1795161600}").getBytes(UTF_8);
    byte[] zeros = new byte[20_000_000];
    byte[] gzip = gzip(event);
    byte[] zstd = Zstd.compress(event);
    return Stream.of(
        arguments("gzip", named("plain", event), 400, not("gzip") + "it has no header of gzip"),
        arguments("zstd", named("plain", event), 400, not("zstd") + "Unknown frame descriptor"),
        arguments(
            "gzip",
            named("zstd", Zstd.compress(event)),
            400,
            not("gzip") + "it has no header of gzip"),
        arguments("zstd", named("gzip", gzip), 400, not("zstd")),
        arguments("gzip", named("cut", head(gzip, 20)), 400, not("gzip") + "it ends too early"),
        arguments("gzip", named("cut late", head(gzip, 4)), 400, not("gzip") + "it ends too early"),
        arguments("zstd", named("cut", head(zstd, 8)), 400, not("zstd") + "Truncated source"),
        arguments("gzip", named("damaged", flipped(gzip(noise()))), 400, not("gzip")),
        arguments("identity", named("gzip", gzip), 400, "event: not JSON at byte 0"),
        arguments("zstd", named("a window of 128 MiB", longWindow(event)), 400, "too much memory"),
        arguments("br", named("plain", event), 415, "'br', want one of gzip, deflate, zstd"),
        arguments("gzip, gzip", named("plain", event), 415, "want one of gzip, deflate, zstd"),
        arguments("gzip", named("20 MB of zeros", gzip(zeros)), 413, TOO_LARGE),
        arguments("gzip", named("60 MB of zeros", repeat(gzip(zeros), 3)), 413, TOO_LARGE),
        arguments("zstd", named("20 MB of zeros", Zstd.compress(zeros)), 413, TOO_LARGE),
        arguments(
            "zstd", named("400 MB of zeros", repeat(Zstd.compress(zeros), 20)), 413, TOO_LARGE),
        arguments(
            "identity",
            named("a byte more", new byte[BadInputIT.BODY_BYTES_MAX + 1]),
            413,
            TOO_LARGE),
        arguments("gzip", named("too much packed", new byte[140_000]), 413, TOO_LARGE));
  }

  private static String not(String encoding) {
    return "Content-Encoding: '" + encoding + "', but the body is not: ";
  }
}
