package hourglass.config;

/** A store engine that this version has. */
enum Engine {
  EMBEDDED
}
