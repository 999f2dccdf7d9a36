/**
 * Files of checksummed groups of frames: the commit log, inventories, the catalogue, and records of
 * late arrivals. After a crash, a group counts whole or not at all. Begin with {@code FrameWriter}.
 */
@NullMarked
package hourglass.store.embedded.frames;

import org.jspecify.annotations.NullMarked;
