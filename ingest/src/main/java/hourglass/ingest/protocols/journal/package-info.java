/**
 * Accepts the journal of systemd, as systemd-journal-upload sends it. Begin with {@link
 * hourglass.ingest.protocols.journal.JournalUpload}.
 */
@NullMarked
package hourglass.ingest.protocols.journal;

import org.jspecify.annotations.NullMarked;
