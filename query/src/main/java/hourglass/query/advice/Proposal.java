package hourglass.query.advice;

/**
 * A better value of a setting.
 *
 * @param setting its key
 * @param value as the configuration takes it
 * @param reason what was seen, and what the value changes
 */
public record Proposal(String setting, String value, String reason) {}
