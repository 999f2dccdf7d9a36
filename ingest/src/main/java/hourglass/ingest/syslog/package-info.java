/**
 * Receives syslog over TCP, TLS and UDP, by RFC 5424 and RFC 3164. Begin with {@link
 * hourglass.ingest.syslog.SyslogServer}.
 */
@NullMarked
package hourglass.ingest.syslog;

import org.jspecify.annotations.NullMarked;
