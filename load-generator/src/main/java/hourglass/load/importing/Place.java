package hourglass.load.importing;

/**
 * The place of an event in the inputs.
 *
 * @param input its name
 * @param unit what is counted: line or event
 * @param number from 1
 */
record Place(String input, String unit, long number) {}
