package hourglass.config;

import java.io.IOException;

/** The round trip on the embedded engine. */
class EndToEndIT extends EndToEndTests {
  @Override
  ServerProcess start(String... settings) throws IOException {
    return ServerProcess.start(folder, settings);
  }

  @Override
  ServerProcess restart(ServerProcess ended) throws IOException {
    return ended.restart();
  }
}
