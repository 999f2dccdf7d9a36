package hourglass.config.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Serves the dashboard's files, some 100 KB, which are read and compressed once and then kept in
 * memory. Thread-safe.
 */
final class DashboardFiles {
  private static final String FOLDER = "/hourglass/dashboard/";

  /**
   * The paths of the page, its assets and the files besides it. YAML files are excluded, so that
   * the API itself answers 404 and 405 for them.
   */
  private static final String PATHS = "/(|assets/.+|[^/]+\\.(?!yaml$)[a-z0-9]+)";

  /** Accepts names of which no part begins with a dot, so that no path leads out of the folder. */
  private static final Predicate<String> IS_FILE = Pattern.compile(PATHS).asMatchPredicate();

  private static final Pattern NAME =
      Pattern.compile("([A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*");

  /** The folder whose files have a hash of their content in their names, given by the build. */
  private static final String HASHED = "assets/";

  /**
   * The content security policy: the page loads only its own files and sends requests only to its
   * own server. Its HTML contains no scripts, and none in the data that it shows can run.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  /**
   * The Vary header. It contains Accept because clients that accept no HTML may get a protocol's
   * answer at the root path.
   */
  private static final String VARY = "Accept, Accept-Encoding";

  private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final String FOR_EVER = "public, max-age=31536000, immutable";
  private static final String ASK_AGAIN = "no-cache";

  private static final String NOT_BUILT =
      """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>Hourglass</title>
      <h1>Hourglass is running, but its dashboard is not built</h1>
      <p>Building it needs Node 20 or newer: install it, then start <code>./hourglass</code> again.
      Everything else works: <a href="/openapi.yaml">the interface</a>,
      <a href="/api/v1/events?order=desc&amp;limit=10">the newest events</a>,
      <a href="/metrics">metrics</a>.</p></html>
      """;

  private static final Map<String, String> CONTENT_TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "ico", "image/x-icon",
          "json", "application/json",
          "webmanifest", "application/manifest+json",
          "md", "text/markdown; charset=utf-8",
          "woff2", "font/woff2");

  private final Map<String, Asset> assets = new ConcurrentHashMap<>();

  private record Asset(Buffer plain, Buffer gzip, String contentType) {}

  void mount(Router router) {
    router.routeWithRegex(PATHS).handler(this::serve);
  }

  /** Returns whether a path is a file of the page, which is the same for everybody. */
  boolean has(String path) {
    return path.equals("/") || IS_FILE.test(path) && find(path.substring(1)) != null;
  }

  private void serve(RoutingContext ctx) {
    String path = ctx.request().path().substring(1);
    String name = path.isEmpty() ? "index.html" : path;
    Asset asset = find(name);
    if (asset == null && !path.isEmpty()) {
      ctx.next();
    } else if (!METHODS.contains(ctx.request().method())) {
      ctx.response().putHeader(HttpHeaders.ALLOW, "GET, HEAD");
      ctx.fail(405);
    } else if (asset == null) {
      ctx.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8").end(NOT_BUILT);
    } else {
      send(ctx, name, asset);
    }
  }

  private static void send(RoutingContext ctx, String name, Asset asset) {
    String accepted = ctx.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
    boolean zips = accepted != null && accepted.contains("gzip");
    HttpServerResponse response = ctx.response();
    response
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader(HttpHeaders.CONTENT_TYPE, asset.contentType())
        .putHeader(HttpHeaders.VARY, VARY)
        .putHeader(HttpHeaders.CACHE_CONTROL, name.startsWith(HASHED) ? FOR_EVER : ASK_AGAIN);
    if (zips) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    Buffer body = zips ? asset.gzip() : asset.plain();
    if (ctx.request().method().equals(HttpMethod.HEAD)) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(body.length())).end();
    } else {
      response.end(body);
    }
  }

  /**
   * Finds a file and keeps it. Only files that exist are kept, so that requests cannot fill the
   * memory with names.
   */
  private @Nullable Asset find(String name) {
    return NAME.matcher(name).matches() ? assets.computeIfAbsent(name, DashboardFiles::read) : null;
  }

  private static @Nullable Asset read(String name) {
    String type = CONTENT_TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      return null;
    }
    try (InputStream in = DashboardFiles.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        return null;
      }
      byte[] plain = in.readAllBytes();
      return new Asset(Buffer.buffer(plain), Buffer.buffer(gzip(plain)), type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(plain);
    }
    return zipped.toByteArray();
  }
}
