/**
 * Files of checksummed groups of frames: the commit log, the catalogue, late arrivals and first
 * times. Begin with {@code FrameWriter}.
 */
@NullMarked
package hourglass.store.embedded.frames;

import org.jspecify.annotations.NullMarked;
