package hourglass.load.importing;

/** Finds the events of an input in its bytes. For one thread. */
interface Items {
  /** Receives bytes that may be an event. They are valid only during the call. */
  @FunctionalInterface
  interface Handler {
    /**
     * Receives [from, to), which contains no line break and is not blank.
     *
     * @param number counted from 1: the line in a file of lines, else the place among the events
     */
    void item(byte[] bytes, int from, int to, boolean isJson, long number);
  }

  /**
   * Reads the next bytes.
   *
   * @throws hourglass.load.command.LoadFailure if an event is too long, or the bytes between events
   *     are wrong
   */
  void accept(byte[] bytes);

  /**
   * Ends the input.
   *
   * @throws hourglass.load.command.LoadFailure if the input is cut off
   */
  void end();
}
