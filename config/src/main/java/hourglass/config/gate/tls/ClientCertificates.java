package hourglass.config.gate.tls;

import io.vertx.core.http.ClientAuth;

/** Whether the server asks clients for a certificate. A certificate that is sent must be valid. */
public enum ClientCertificates {
  NONE(ClientAuth.NONE),
  OPTIONAL(ClientAuth.REQUEST),
  REQUIRED(ClientAuth.REQUIRED);

  final ClientAuth auth;

  ClientCertificates(ClientAuth auth) {
    this.auth = auth;
  }
}
