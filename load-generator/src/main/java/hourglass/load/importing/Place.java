package hourglass.load.importing;

/**
 * The place of an event in the inputs.
 *
 * @param input the name of the input
 * @param unit the unit that is counted: line or event
 * @param number counted from 1
 */
record Place(String input, String unit, long number) {}
