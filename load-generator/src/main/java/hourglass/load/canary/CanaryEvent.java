package hourglass.load.canary;

/**
 * One event on its way.
 *
 * @param sequence its number in the run, from 0
 * @param ticks its time, of the wall clock when it was sent first
 * @param dueNanos when it was meant to be sent
 * @param window that it is checked with
 */
record CanaryEvent(long sequence, long ticks, long dueNanos, CanaryWindow window) {}
