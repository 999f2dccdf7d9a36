package hourglass.query.http;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import hourglass.query.Chunk;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * The coding of an answer's body, chosen from those that the client accepts. The best one is first.
 */
public enum BodyCoding {
  ZSTD("zstd"),
  GZIP("gzip"),
  IDENTITY("identity");

  /**
   * The size from which a body is compressed. A smaller one fits into a packet or two uncompressed.
   */
  static final int BYTES_MIN = 2_048;

  /** The fastest level, since compression is most of the cost; docs/query-design.md has figures. */
  private static final int ZSTD_LEVEL = 1;

  private static final int GZIP_LEVEL = 1;
  private static final int DEFLATE_BYTES = 16 << 10;

  /** The weight of an unnamed identity coding, which is the last resort. */
  private static final double LEAST = 0.0001;

  private final String token;

  BodyCoding(String token) {
    this.token = token;
  }

  /**
   * Returns a stream that encodes into {@code out}. The client can decode everything written before
   * a flush.
   */
  OutputStream over(OutputStream out) throws IOException {
    return switch (this) {
      case ZSTD -> new ZstdOutputStreamNoFinalizer(out, ZSTD_LEVEL);
      case GZIP ->
          new GZIPOutputStream(out, DEFLATE_BYTES, true) {
            {
              def.setLevel(GZIP_LEVEL);
            }
          };
      case IDENTITY -> out;
    };
  }

  /**
   * Returns the best of the codings with the highest weight; IDENTITY if the request names none.
   */
  public static BodyCoding of(MultiMap headers) {
    Map<String, Double> weights = new HashMap<>();
    for (String header : headers.getAll("Accept-Encoding")) {
      for (String element : header.toLowerCase(Locale.ROOT).split(",", -1)) {
        String[] parts = element.split(";", 2);
        weights.put(parts[0].strip().replaceFirst("^x-", ""), weight(parts));
      }
    }
    return Arrays.stream(values())
        .filter(coding -> coding.weight(weights) > 0)
        .max(Comparator.comparingDouble(coding -> coding.weight(weights)))
        .orElse(IDENTITY);
  }

  private static double weight(String[] parts) {
    String q = parts.length < 2 ? "q=1" : parts[1].replaceAll("\\s", "");
    try {
      return q.startsWith("q=") ? Double.parseDouble(q.substring(2)) : 0;
    } catch (NumberFormatException e) {
      return 0; // such an element is not accepted
    }
  }

  /**
   * The weight of this coding in a request. A wildcard selects gzip, which every client supports.
   */
  private double weight(Map<String, Double> weights) {
    double unnamed =
        switch (this) {
          case ZSTD -> 0;
          case GZIP -> weights.getOrDefault("*", 0.0);
          case IDENTITY -> LEAST;
        };
    return weights.getOrDefault(token, unnamed);
  }

  void put(HttpServerResponse response) {
    if (this != IDENTITY) {
      response.putHeader("Content-Encoding", token);
    }
  }

  /**
   * Encodes the chunks of one answer. Each can be decoded on arrival. Used by one thread at a time.
   */
  static final class Packer {
    private final Packed packed = new Packed();
    private final OutputStream out;

    private static final class Packed extends ByteArrayOutputStream {
      void into(Chunk chunk) {
        chunk.replace(buf, count);
        reset();
      }
    }

    Packer(BodyCoding coding) {
      try {
        out = coding.over(packed);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void pack(Chunk chunk, boolean isLast) {
      try {
        out.write(chunk.bytes(), 0, chunk.length());
        if (isLast) {
          out.close();
        } else {
          out.flush();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      packed.into(chunk);
    }

    /** Frees native memory. Idempotent. */
    void close() {
      try {
        out.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
