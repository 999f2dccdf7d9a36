package hourglass.program;

import hourglass.testing.Tier;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** The round trip on the embedded engine. */
@Tag(Tier.IN_FIRST)
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
