package hourglass.program;

import java.io.IOException;

/** The round trip on the embedded engine. */
class EndToEndIT extends EndToEndTests {
  @Override
  protected ServerProcess start(String... settings) throws IOException {
    return ServerProcess.start(folder, settings);
  }

  @Override
  protected ServerProcess restart(ServerProcess ended) throws IOException {
    return ended.restart();
  }
}
