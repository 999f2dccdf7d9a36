package hourglass.load.importing;

/** Finds the events of an input in its bytes. For one thread. */
interface Items {
  /** Takes what may be an event; it is valid only during the call. */
  @FunctionalInterface
  interface Handler {
    /**
     * Takes [from, to), which contains no line break and is not blank.
     *
     * @param number from 1: the line in a file of lines, else the place among the events
     */
    void item(byte[] bytes, int from, int to, boolean isJson, long number);
  }

  /**
   * Reads on.
   *
   * @throws hourglass.load.command.LoadFailure if an event is too long, or the bytes between events
   *     are wrong
   */
  void accept(byte[] bytes);

  /**
   * Ends the input.
   *
   * @throws hourglass.load.command.LoadFailure if it is cut
   */
  void end();
}
