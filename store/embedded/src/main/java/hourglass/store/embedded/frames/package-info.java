/**
 * Files of checksummed groups of frames, of which a crash leaves whole groups only: the commit log,
 * inventories, the catalogue, and the notes of late columns. Begin with {@code FrameWriter}.
 */
@NullMarked
package hourglass.store.embedded.frames;

import org.jspecify.annotations.NullMarked;
