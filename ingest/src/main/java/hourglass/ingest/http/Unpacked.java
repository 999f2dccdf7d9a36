package hourglass.ingest.http;

import hourglass.ingest.Body;

/**
 * A body as it was unpacked.
 *
 * @param array holds it from its start, with room for the padding behind it
 * @param length bytes of the body
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Unpacked(byte[] array, int length) {
  Body body() {
    return Body.ofPadded(array, length);
  }
}
